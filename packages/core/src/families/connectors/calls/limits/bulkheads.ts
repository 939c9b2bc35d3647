import { ConnectorError } from "#connectors/error.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { type BoundedGate, boundedGate } from "#kernel/async/bounded-gate.js";
import { defineService } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { Breaker } from "./breaker.js";

const INSTANCES = 10_000;
const TENANTS = 1_000;
/** Calls of one tenant at a time, over all of its instances, and how many more wait. */
const OF_TENANT = { running: 64, waiting: 256 } as const;
/** How many calls of an instance wait. */
const WAITING = 64;

interface Bulkhead {
  readonly gate: BoundedGate;
  readonly breaker: Breaker;
}

/** Room for calls, by tenant and by instance, so that a target that hangs holds up its own calls only. */
export class Bulkheads {
  readonly #instances = boundedCache<string, Bulkhead>(INSTANCES);
  readonly #tenants = boundedCache<string, BoundedGate>(TENANTS);

  of(tenantId: string, instanceId: string, concurrency: number): Bulkhead {
    const key = `${tenantId} ${instanceId}`;
    const known = this.#instances.get(key);
    if (known) return known;
    const bulkhead = { gate: boundedGate(concurrency, WAITING), breaker: new Breaker() };
    this.#instances.set(key, bulkhead);
    return bulkhead;
  }

  /** Runs `work` when there is room for it in both. Rejects with a `transient` failure where too much waits. */
  async within<T>(tenantId: string, { gate }: Bulkhead, work: () => Promise<T>): Promise<T> {
    const ofTenant = this.#tenants.get(tenantId) ?? boundedGate(OF_TENANT.running, OF_TENANT.waiting);
    this.#tenants.set(tenantId, ofTenant);
    try {
      return await gate(() => ofTenant(work));
    } catch (error) {
      if (!ReeveError.is(error) || error.code !== "overloaded") throw error;
      throw new ConnectorError("transient", "Too many calls wait already.", { code: "overloaded" });
    }
  }
}

export const bulkheads = defineService("connectors.bulkheads", () => new Bulkheads());
