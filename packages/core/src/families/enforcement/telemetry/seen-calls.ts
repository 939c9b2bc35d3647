import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import type { Use } from "./read/uses.js";
import { type SeenCalls, seenCalls } from "./schema.js";

/** Hexadecimal digits of a hash that are kept: the chance that two of twenty thousand calls share them is below one in a million. */
const KEPT = 16;
/** How long a call is remembered from the beginning of its day. Exporters repeat one for minutes. */
const REMEMBERED = daysMs(3);

/** What is known of the calls of an installation, with what an export adds. */
export class Seen {
  readonly #before: ReadonlyMap<string, SeenCalls>;
  readonly #added = new Map<string, Set<string>>();

  private constructor(
    private readonly installationId: string,
    rows: readonly SeenCalls[],
  ) {
    this.#before = new Map(rows.map((row) => [row.id, row]));
  }

  /** Reads what is known of these calls, in one query for a thousand of them. */
  static async of(ctx: Context, installationId: string, uses: readonly Use[]): Promise<Seen> {
    const ids = uses.flatMap((use) => keysOf(use).map((key) => idFor(installationId, use.at, key)));
    const rows = await inChunks([...new Set(ids)], (some) => ctx.db.getMany(seenCalls, some));
    return new Seen(
      installationId,
      rows.map(({ value }) => value),
    );
  }

  has(at: string, key: string): boolean {
    const id = idFor(this.installationId, at, key);
    const kept = key.slice(0, KEPT);
    return this.#added.get(id)?.has(kept) || this.#before.get(id)?.keys.includes(kept) || false;
  }

  add(at: string, key: string): void {
    if (this.has(at, key)) return;
    const id = idFor(this.installationId, at, key);
    this.#added.set(id, (this.#added.get(id) ?? new Set()).add(key.slice(0, KEPT)));
  }

  async store(ctx: Context): Promise<void> {
    const fresh = [...this.#added].flatMap(([id, keys]) => (this.#before.has(id) ? [] : [{ id, keys: [...keys] }]));
    const drafts = fresh.map(({ id, keys }) => ({ id, keys, expiresAt: endOf(id) }));
    await ctx.insertMany(seenCalls, drafts, { event: false });
    for (const [id, keys] of this.#added) {
      const before = this.#before.get(id);
      if (before) await ctx.update(seenCalls, before, { keys: [...before.keys, ...keys] }, { event: false });
    }
  }
}

/** Every key by which a call may be known. */
export const keysOf = ({ keys, traceKey }: Use): readonly string[] => (traceKey === null ? keys : [...keys, traceKey]);

/** Calls of a day are spread over 64 records by their hash, so that an export changes small ones. */
const idFor = (installationId: string, at: string, key: string): string =>
  `${dayOf(at)} ${installationId} ${(Number.parseInt(sha256(key).slice(0, 2), 16) % 64).toString()}`;

const endOf = (id: string): string => timestamp(Date.parse(id.slice(0, 10)) + REMEMBERED);
