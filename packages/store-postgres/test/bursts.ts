import { type Reader, type Store, StoreError, type Transaction } from "@reeve/core/store";
import { event, successor, thing, things } from "@reeve/testkit";
import type { Chain } from "./chain.js";

/** The tenant of all bursts. */
export const TENANT = "t";

/** What a caller was told. `refused` is what the work or a unique key says, `failed` what the database does. */
type Reported = "done" | "failed" | "refused" | "unknown" | { readonly broken: string };

/**
 * What a write does: without reading, or with a read after its commit; after a read; a change of a common record; and
 * with a key that another one takes or has, or with a refusal of its own.
 */
const WAYS = ["write", "write", "write", "ask", "read", "read", "raise", "share", "share", "take", "throw"] as const;
type Way = (typeof WAYS)[number];

/** A write and what became of it. All have numbers of their own, by which they are found. */
export interface Attempt {
  readonly n: number;
  readonly burst: number;
  readonly way: Way;
  readonly reported: Reported;
  /** What its work counted under the lock. */
  readonly saw?: number | undefined;
  /** Whether the read after its commit found nothing. */
  readonly isLost?: boolean | undefined;
}

/** What the tenant stores of them. */
export interface Found {
  readonly chain: Pick<Chain, "places" | "flaws">;
  /** The numbers of stored things. */
  readonly stored: ReadonlySet<number>;
  /** How often the common record was raised. */
  readonly raised: number;
}

/** The record that `raise` changes, and whose key `take` wants. */
export const common = thing(0, { slug: "common", size: 0 });

/** The ways of a burst. */
export function waysOf(random: () => number, size: number): Way[] {
  return Array.from({ length: size }, () => WAYS[Math.floor(random() * WAYS.length)] as Way);
}

export async function attempt(store: Store, n: number, burst: number, way: Way): Promise<Attempt> {
  const reads = ["read", "throw", "raise"].includes(way);
  let found: Promise<boolean> | undefined;
  const work = async (tx: Transaction) => {
    // It is no failure of the write that its connection ends between the commit and the read.
    if (way === "ask")
      found = tx.afterCommit.get(things, thing(n).id).then(
        (row) => row !== undefined,
        () => true,
      );
    return run(tx, { n, burst, way });
  };
  try {
    const saw = await store.transaction(TENANT, work, reads ? `burst ${way}` : undefined);
    return { n, burst, way, reported: "done", saw, isLost: (await found) === false };
  } catch (error) {
    return { n, burst, way, reported: reportedBy(error) };
  }
}

async function run(tx: Transaction, { n, burst, way }: Pick<Attempt, "n" | "burst" | "way">) {
  if (way === "raise") {
    const row = await tx.get(things, common.id);
    if (!row) throw new Error("the common record is gone");
    const { value } = row;
    const size = value.size as number;
    await tx.replace(things, successor(value, { size: size + 1 }), value);
    await tx.append(event(n));
    return size;
  }
  const kind = `burst ${burst}`;
  const slug = { take: common.slug, share: kind }[way as string] ?? null;
  const reads = way === "read" || way === "throw";
  const before = reads ? (await tx.count(things, { where: { kind } })).count : undefined;
  await tx.insert(things, thing(n, { kind, slug }));
  await tx.append(event(n));
  if (way === "throw") throw new RangeError("refused by its own rule");
  return before;
}

function reportedBy(error: unknown): Reported {
  if (error instanceof RangeError) return "refused";
  if (!StoreError.is(error)) return { broken: String(error) };
  if (error.code === "outcome_unknown") return "unknown";
  if (error.code === "duplicate") return "refused";
  // Work that had to run again too often is told `conflict`.
  return ["unavailable", "busy", "conflict"].includes(error.code) ? "failed" : { broken: `${error.code}: ${error}` };
}

/**
 * Looks what of these writes is stored. The chain goes on from where it was. What was sent late may arrive between two
 * reads, so all is read anew until the chain is as it was before.
 */
export async function look(reader: Reader, attempts: readonly Attempt[], chain: Chain): Promise<Found> {
  for (;;) {
    await chain.goOn(reader);
    const events = chain.places.size;
    const stored = await storedOf(reader, attempts);
    const raised = (await reader.get(things, common.id))?.value.size ?? 0;
    await chain.goOn(reader);
    if (chain.places.size === events) return { chain, stored, raised };
  }
}

/** The numbers of those whose things are stored. */
async function storedOf(reader: Reader, attempts: readonly Attempt[]): Promise<ReadonlySet<number>> {
  const stored = new Set<number>();
  for (let at = 0; at < attempts.length; at += 100) {
    const numbers = attempts.slice(at, at + 100).map(({ n }) => n);
    const rows = await reader.getMany(
      things,
      numbers.map((n) => thing(n).id),
    );
    const ids = new Set(rows.map(({ id }) => id));
    for (const n of numbers) if (ids.has(thing(n).id)) stored.add(n);
  }
  return stored;
}

/** What must not be, in words. `all` are the writes that the tenant ever took. */
export function liesOf(attempts: readonly Attempt[], all: readonly Attempt[], found: Found): string[] {
  const { chain, raised } = found;
  const lies = [...chain.flaws];
  const kept = all.filter(({ n }) => chain.places.has(n));
  const raises = kept.filter(({ way }) => way === "raise");
  if (chain.places.size !== kept.length) lies.push(`${chain.places.size} events of ${kept.length} writes`);
  if (raises.length !== raised) lies.push(`raised ${raised} times by ${raises.length} writes`);
  const inserts = new Map<number, Attempt[]>();
  for (const one of kept) if (one.way !== "raise") inserts.set(one.burst, [...(inserts.get(one.burst) ?? []), one]);
  for (const one of attempts) {
    const others = one.way === "raise" ? raises : (inserts.get(one.burst) ?? []);
    const lie = lieOf(one, others, found);
    if (lie !== undefined) lies.push(`write ${one.n} (${one.way}): ${lie}`);
  }
  return lies;
}

/** `others` are the stored writes of which this one may know. */
function lieOf(one: Attempt, others: readonly Attempt[], { chain, stored }: Found): string | undefined {
  const { n, way, reported, saw } = one;
  const place = chain.places.get(n);
  const isStored = place !== undefined;
  if (typeof reported === "object") return `neither done nor refused: ${reported.broken}`;
  if (way !== "raise" && stored.has(n) !== isStored) return isStored ? "an event alone" : "a record without its event";
  if (reported === "done" && !isStored) return "told done, and not stored";
  if ((reported === "failed" || reported === "refused") && isStored) return `told ${reported}, and stored`;
  if ((way === "take" || way === "throw") && isStored) return "stored against its rule";
  if (one.isLost) return "did not find itself after its commit";
  if (way === "share" && reported === "refused" && !others.some((other) => other.way === "share"))
    return "refused for a key that nobody has";
  if (reported === "refused" && !["share", "take", "throw"].includes(way)) return "refused without a rule";
  if (saw === undefined || place === undefined) return undefined;
  const before = others.filter((other) => (chain.places.get(other.n) as number) < place).length;
  return before === saw ? undefined : `counted ${saw}, and ${before} came before it`;
}
