import { LRUCache } from "lru-cache";
import { STATE_LIFETIME } from "#families/platform/index.js";
import type { MaybePromise } from "#kernel/async/maybe-promise.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { EventLoopYielder } from "#store/event-loop.js";
import type { Reader } from "#store/store.js";
import { type Compilation, compilePolicy } from "../../policies/compile/compile.js";
import { type Policy, policies } from "../../policies/schema.js";
import { PolicySet, type RuntimePolicy } from "./policy-set.js";

interface Held {
  readonly value: PolicySet;
  readonly readAt: number;
  outdated: boolean;
}

/** The most compiled rules in memory, over all tenants. */
const RULES = 50_000;
const PAGE = 1_000;

/** Compiled runtime policies by tenant, cached for at most five seconds. A broadcast change drops them at once. */
class RuntimePolicies {
  readonly #held = new LRUCache<string, Held>({ maxSize: RULES, sizeCalculation: sizeOf });
  readonly #reading = new Map<string, Promise<PolicySet>>();
  #changes = 0;

  constructor(readonly env: Environment) {
    env.onBroadcast([policies], (tenantId) => {
      // A read in progress may have missed this commit. Rules already compiled stay usable.
      this.#changes += 1;
      const concerned = tenantId === undefined ? [...this.#held.values()] : [this.#held.peek(tenantId)];
      for (const held of concerned) if (held) held.outdated = true;
      if (tenantId === undefined) this.#reading.clear();
      else this.#reading.delete(tenantId);
    });
  }

  of(tenantId: string): MaybePromise<PolicySet> {
    const held = this.#held.get(tenantId);
    const fresh = held && !held.outdated && this.env.clock.now() - held.readAt < STATE_LIFETIME;
    return fresh ? held.value : this.#renewed(tenantId);
  }

  /** Reads through the connection of a transaction, which must not wait for a second one. */
  within(reader: Reader): Promise<PolicySet> {
    return this.#read(reader);
  }

  #renewed(tenantId: string): Promise<PolicySet> {
    const known = this.#reading.get(tenantId);
    if (known) return known;
    const reading = this.#renew(tenantId).finally(() => {
      if (this.#reading.get(tenantId) === reading) this.#reading.delete(tenantId);
    });
    this.#reading.set(tenantId, reading);
    return reading;
  }

  async #renew(tenantId: string): Promise<PolicySet> {
    const readAt = this.env.clock.now();
    const seen = this.#changes;
    const value = await this.#read(this.env.store.forTenant(tenantId));
    if (seen === this.#changes) this.#held.set(tenantId, { value, readAt, outdated: false });
    return value;
  }

  async #read(reader: Reader): Promise<PolicySet> {
    const query = { where: { kind: "runtime", evaluated: true }, size: PAGE };
    const compiled = new Map(this.#held.peek(reader.tenantId)?.value.all.map((policy) => [policy.id, policy]));
    const all: RuntimePolicy[] = [];
    const yielder = new EventLoopYielder();
    let found = await reader.find(policies, query);
    for (;;) {
      for (const { id, version, value } of found.rows) {
        if (yielder.isDue) await yielder.pass();
        const known = compiled.get(id);
        all.push(known?.version === version ? known : compiledPolicy(value, compilePolicy(this.env, value)));
      }
      if (!found.next) return new PolicySet(all);
      found = await reader.find(policies, { ...query, after: found.next });
    }
  }
}

/** A runtime policy from its compilation. */
export function compiledPolicy(policy: Policy, { compiled, faults }: Compilation): RuntimePolicy {
  const { id, version, key, revision, status, params, selector } = policy;
  return {
    id,
    version,
    key,
    revision,
    inForce: status === "active",
    params,
    narrow: selector.assetTypes.length + selector.environments.length > 0,
    compiled,
    broken: faults.length > 0,
  };
}

function sizeOf({ value }: Held): number {
  return value.all.reduce((sum, { compiled }) => sum + 1 + compiled.rules.length, 1);
}

export const runtimePolicies = defineService("governance.runtimePolicies", (env) => new RuntimePolicies(env));
