import { LRUCache } from "lru-cache";
import type { Gates, TenantState } from "../../kernel/access.js";
import { defineService, type Environment } from "../../kernel/environment.js";
import { type Entitlement, entitlements } from "./entitlements/schema.js";
import { type KillSwitch, killSwitches } from "./kill-switches/schema.js";
import { PLATFORM_TENANT, tenants } from "./tenants/schema.js";

/** How old a cached state may be when another process has changed it, in milliseconds. */
export const STATE_LIFETIME = 5_000;
const TENANTS = 10_000;
const ENTITLEMENTS = 1_000;

interface Held<T> {
  readonly value: T;
  readonly readAt: number;
}

/** Tenant states and kill switches, cached for at most five seconds and dropped at once on a change in this process. */
class PlatformGates implements Gates {
  readonly #tenants = new LRUCache<string, Held<TenantState>>({ max: TENANTS });
  #switches: Held<ReadonlySet<string>> | undefined;

  constructor(readonly env: Environment) {
    env.onCommit(({ tenantId, collections }) => {
      if (collections.has(tenants.name) || collections.has(entitlements.name)) this.#tenants.delete(tenantId);
      if (collections.has(killSwitches.name)) this.#switches = undefined;
    });
  }

  async tenant(tenantId: string): Promise<TenantState | undefined> {
    const held = this.#tenants.get(tenantId);
    if (held && this.#fresh(held)) return held.value;
    const readAt = this.env.clock.now();
    const reader = this.env.store.forTenant(tenantId);
    const [row, licences] = await Promise.all([
      reader.get(tenants, tenantId),
      reader.scan(entitlements, { size: ENTITLEMENTS }),
    ]);
    if (!row) return undefined;
    const value = tenantState(
      row.value.status,
      licences.map((licence) => licence.value),
      this.env,
    );
    this.#tenants.set(tenantId, { value, readAt });
    return value;
  }

  async engagedSwitch(keys: readonly string[]): Promise<string | undefined> {
    if (!this.#switches || !this.#fresh(this.#switches)) {
      const readAt = this.env.clock.now();
      const rows = await this.env.store.forTenant(PLATFORM_TENANT).scan(killSwitches, { size: 1_000 });
      this.#switches = { value: engaged(rows.map((row) => row.value)), readAt };
    }
    const { value } = this.#switches;
    return keys.find((key) => value.has(key));
  }

  #fresh(held: Held<unknown>): boolean {
    return this.env.clock.now() - held.readAt < STATE_LIFETIME;
  }
}

function engaged(switches: readonly KillSwitch[]): ReadonlySet<string> {
  return new Set(switches.filter((one) => one.status === "engaged").map((one) => one.id));
}

function tenantState(status: string, licences: readonly Entitlement[], env: Environment): TenantState {
  const ends = new Map(
    licences
      .filter((licence) => licence.kind === "capability" && licence.status === "licensed")
      .map((licence) => [
        licence.key,
        licence.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(licence.expiresAt),
      ]),
  );
  return { status, licensed: (capability) => env.clock.now() < (ends.get(capability) ?? 0) };
}

export const platformGates = defineService<Gates>("platform.gates", (env) => new PlatformGates(env));
