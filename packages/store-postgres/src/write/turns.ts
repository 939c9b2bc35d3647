import { StoreError } from "@reeve/core/store";
import type { Part } from "./part.js";

/** Gives a unit its turn: within an open group, or to begin one. */
export type Begin<G> = (group?: G) => void;

interface Waiting<G> {
  /** The whole unit, if it only writes. */
  readonly part: Part | undefined;
  /** Whether it may take its turn in the group that is open. */
  readonly mayJoin: boolean;
  readonly timer: NodeJS.Timeout;
  readonly begin: Begin<G>;
}

/** Who waits for the turn in a tenant, and why whoever had it last could not use it. */
interface Queue<G> {
  readonly waiting: Set<Waiting<G>>;
  failure: unknown;
}

/** The turns of the units of each tenant in this process, in the order in which they asked. */
export class Turns<G> {
  /** Each tenant of which somebody has the turn. */
  readonly #tenants = new Map<string, Queue<G>>();

  constructor(private readonly timeoutMs: number) {}

  /** Takes the turn if it is free. */
  takeAtOnce(tenantId: string): boolean {
    if (this.#tenants.has(tenantId)) return false;
    this.#tenants.set(tenantId, { waiting: new Set(), failure: undefined });
    return true;
  }

  /** Waits for the turn that somebody has. Resolves to the group to join, if any. Rejects with `busy` after a time. */
  take(tenantId: string, { part, mayJoin = false }: { part?: Part; mayJoin?: boolean }): Promise<G | undefined> {
    return new Promise((resolve, reject) => {
      const queue = this.#tenants.get(tenantId);
      const timer = setTimeout(() => {
        queue?.waiting.delete(entry);
        const cause = queue?.failure;
        reject(new StoreError("busy", "other transactions of the tenant did not end in time", { cause }));
      }, this.timeoutMs);
      const entry = { part, mayJoin, timer, begin: resolve };
      queue?.waiting.add(entry);
    });
  }

  /** Whether the next in order may follow in the same group. */
  hasNext(tenantId: string): boolean {
    const next = this.#next(tenantId);
    return next !== undefined && (next.part !== undefined || next.mayJoin);
  }

  /** Takes out the parts that are next in order, at most this many. */
  parts(tenantId: string, most: number): Part[] {
    const parts: Part[] = [];
    for (let next = this.#next(tenantId); next?.part && parts.length < most; next = this.#next(tenantId)) {
      this.#choose(tenantId, next);
      parts.push(next.part);
    }
    return parts;
  }

  /** Takes out the next in order if it joins a group by a turn of its own. */
  joining(tenantId: string): Begin<G> | undefined {
    const next = this.#next(tenantId);
    return next?.mayJoin && !next.part ? this.#choose(tenantId, next) : undefined;
  }

  /** Gives the turn to the next in order, or sets it free. With `failure` if it came to nothing. */
  leave(tenantId: string, failure?: unknown): void {
    const queue = this.#tenants.get(tenantId);
    if (queue) queue.failure = failure;
    const next = this.#next(tenantId);
    if (next) this.#choose(tenantId, next)();
    else this.#tenants.delete(tenantId);
  }

  #next(tenantId: string): Waiting<G> | undefined {
    const [next] = this.#tenants.get(tenantId)?.waiting ?? [];
    return next;
  }

  /** It does not give up any more. */
  #choose(tenantId: string, chosen: Waiting<G>): Begin<G> {
    clearTimeout(chosen.timer);
    this.#tenants.get(tenantId)?.waiting.delete(chosen);
    return chosen.begin;
  }
}
