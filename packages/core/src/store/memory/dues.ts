import { compareText } from "../compare.js";
import { checkSize } from "../query.js";
import type { DueBacklog, Dues, DueTenant } from "../store.js";

interface Due {
  readonly at: string;
  /** The earliest time that became known since the last claim. */
  readonly sinceClaim: string | undefined;
  readonly claim: number;
  /** When the claim ends, in milliseconds since the epoch. */
  readonly until: number;
}

/** The most tenants that a backlog is measured by. */
const SEEN = 10_000;

const byTime = (one: DueTenant, other: DueTenant) =>
  compareText(one.at, other.at) || compareText(one.tenantId, other.tenantId);

const earlier = (one: string | undefined, other: string) => (one !== undefined && one < other ? one : other);

/** When each tenant has something due. */
export class MemoryDues implements Dues {
  readonly #known = new Map<string, Due>();

  copy(): MemoryDues {
    const copied = new MemoryDues();
    for (const [tenantId, due] of this.#known) copied.#known.set(tenantId, due);
    return copied;
  }

  async find(at: string, size: number, after?: DueTenant): Promise<readonly DueTenant[]> {
    checkSize(size);
    const free = [...this.#known].filter(([, due]) => due.at <= at && due.until <= Date.now());
    const sorted = free.map(([tenantId, due]) => ({ tenantId, at: due.at })).sort(byTime);
    return sorted.filter((due) => !after || byTime(due, after) > 0).slice(0, size);
  }

  async claim(tenantId: string, at: string, ms: number): Promise<number | undefined> {
    const due = this.#known.get(tenantId);
    const now = Date.now();
    if (!due || due.at > at || due.until > now) return undefined;
    this.#known.set(tenantId, { at: due.at, sinceClaim: undefined, claim: due.claim + 1, until: now + ms });
    return due.claim + 1;
  }

  async renew(tenantId: string, claim: number, ms: number): Promise<boolean> {
    const due = this.#known.get(tenantId);
    if (due?.claim !== claim) return false;
    this.#known.set(tenantId, { ...due, until: Date.now() + ms });
    return true;
  }

  async lower(tenantIds: readonly string[], at: string): Promise<void> {
    for (const tenantId of tenantIds) this.lowerOne(tenantId, at);
  }

  async backlog(at: string): Promise<DueBacklog> {
    const now = Date.now();
    const due = [...this.#known.values()].filter((each) => each.at <= at).sort((a, b) => compareText(a.at, b.at));
    const seen = due.slice(0, SEEN);
    const waiting = seen.filter(({ until }) => until <= now);
    return { waiting: waiting.length, claimed: seen.length - waiting.length, oldestAt: waiting[0]?.at ?? null };
  }

  forget(tenantId: string): void {
    this.#known.delete(tenantId);
  }

  lowerOne(tenantId: string, at: string): void {
    const due = this.#known.get(tenantId) ?? { at, sinceClaim: at, claim: 0, until: 0 };
    this.#known.set(tenantId, { ...due, at: earlier(due.at, at), sinceClaim: earlier(due.sinceClaim, at) });
  }

  settle(tenantId: string, claim: number, next: string): void {
    const due = this.#known.get(tenantId);
    if (due?.claim !== claim) return;
    const at = earlier(due.sinceClaim, next);
    this.#known.set(tenantId, { at, sinceClaim: at, claim, until: 0 });
  }
}
