import { boundedCache } from "#kernel/async/bounded-cache.js";
import { andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { RateLimits } from "#kernel/config/rate-limits.js";
import type { Gates, TenantState } from "#kernel/operation/gates.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Reader } from "#store/store.js";
import type { LimitKey } from "../capabilities/fields.js";
import { type Entitlement, type EntitlementKind, entitlements, isInForce } from "../entitlements/schema.js";
import { killSwitches } from "../kill-switches/schema.js";
import { settings } from "../settings/queries.js";
import { tenantHosts } from "../tenant-domain/domain-hosts.js";
import { tenantSettingsOf } from "../tenant-settings/queries.js";
import { PLATFORM_TENANT, PROVIDER_SUBDOMAIN, STATE_LIFETIME } from "../tenants/fields.js";
import { type Tenant, tenants } from "../tenants/schema.js";

const TENANTS = 10_000;
const ROWS = 1_000;
interface Held<T> {
  readonly value: T;
  readonly readAt: number;
}

/** The state of a tenant with what areas read of it. */
interface PlatformTenant extends TenantState {
  readonly id: string;
  readonly name: string;
}

/** Tenant states and kill switches, cached for at most five seconds. A change in this process drops them at once. */
class PlatformGates implements Gates {
  readonly #tenants = boundedCache<string, Held<PlatformTenant>>(TENANTS);
  #switches: Held<ReadonlySet<string>> | undefined;
  readonly #within = new WeakMap<Reader, Promise<ReadonlySet<string>>>();
  /** Whether a switch changed after the last read. */
  #outdated = false;
  #reading: Promise<ReadonlySet<string>> | undefined;
  #limits: { readonly of: ReadonlyMap<string, unknown>; readonly value: RateLimits } | undefined;
  #changes = 0;

  constructor(readonly env: Environment) {
    env.onBroadcast([tenants, entitlements], (tenantId) => {
      // A read in progress may have missed this commit.
      this.#changes += 1;
      if (tenantId === undefined) this.#tenants.clear();
      else this.#tenants.delete(tenantId);
    });
    env.onBroadcast([killSwitches], () => {
      this.#changes += 1;
      this.#outdated = true;
      this.#reading = undefined;
    });
  }

  tenant(tenantId: string): MaybePromise<PlatformTenant | undefined> {
    const held = this.#tenants.get(tenantId);
    return held && this.#fresh(held) ? held.value : this.#readTenant(tenantId);
  }

  async #readTenant(tenantId: string): Promise<PlatformTenant | undefined> {
    const readAt = this.env.clock.now();
    const seen = this.#changes;
    const reader = this.env.store.forTenant(tenantId);
    const [row, licences] = await Promise.all([
      reader.get(tenants, tenantId),
      reader.scan(entitlements, { size: ROWS }),
    ]);
    if (!row) return undefined;
    const value = tenantState(
      row.value,
      licences.map((licence) => licence.value),
      this.env,
    );
    if (seen === this.#changes) this.#tenants.set(tenantId, { value, readAt });
    return value;
  }

  async engagedSwitch(keys: readonly string[]): Promise<string | undefined> {
    const engaged = await this.engagedSwitches();
    return keys.find((key) => engaged.has(key));
  }

  /**
   * The keys of all switches that are engaged, by what the transaction of this reader sees once it has its tenant's
   * lock. So a switch also stops what waited for the lock when it was engaged. Read once per transaction.
   */
  engagedSwitchesWithin(platform: Reader): Promise<ReadonlySet<string>> {
    const known = this.#within.get(platform) ?? readSwitches(platform);
    this.#within.set(platform, known);
    return known;
  }

  /** The keys of all switches that are engaged. Rejects when they cannot be read. */
  engagedSwitches(): MaybePromise<ReadonlySet<string>> {
    if (this.#switches && this.#switchesAreFresh()) return this.#switches.value;
    // Callers share a read in progress.
    this.#reading ??= this.#renewSwitches();
    return this.#reading;
  }

  #switchesAreFresh(): boolean {
    return this.#switches !== undefined && !this.#outdated && this.#fresh(this.#switches);
  }

  async #renewSwitches(): Promise<ReadonlySet<string>> {
    const readAt = this.env.clock.now();
    const seen = this.#changes;
    try {
      const value = await readSwitches(this.env.store.forTenant(PLATFORM_TENANT));
      if (seen === this.#changes) {
        this.#switches = { value, readAt };
        this.#outdated = false;
      }
      return value;
    } finally {
      if (seen === this.#changes) this.#reading = undefined;
    }
  }

  rateLimits(): RateLimits {
    const inForce = this.env.use(settings);
    if (this.#limits?.of !== inForce.snapshot) {
      const value = {
        tenant: inForce.get("rateLimits.tenant"),
        principal: inForce.get("rateLimits.principal"),
        address: inForce.get("rateLimits.address"),
        rejected: inForce.get("rateLimits.rejected"),
        credential: inForce.get("rateLimits.credential"),
        expensive: inForce.get("rateLimits.expensive"),
      };
      this.#limits = { of: inForce.snapshot, value };
    }
    return this.#limits.value;
  }

  admits(host: string | null | undefined, tenantId: string): MaybePromise<boolean> {
    return this.env.use(tenantHosts).admits(host, tenantId);
  }

  #fresh(held: Held<unknown>): boolean {
    return this.env.clock.now() - held.readAt < STATE_LIFETIME;
  }
}

async function readSwitches(platform: Reader): Promise<ReadonlySet<string>> {
  const query = { where: { status: "engaged" }, size: ROWS };
  const engaged = new Set<string>();
  let found = await platform.find(killSwitches, query);
  for (const row of found.rows) engaged.add(row.id);
  while (found.next) {
    found = await platform.find(killSwitches, { ...query, after: found.next });
    for (const row of found.rows) engaged.add(row.id);
  }
  return engaged;
}

function tenantState(tenant: Tenant, licences: readonly Entitlement[], env: Environment): PlatformTenant {
  const capabilities = ofKind(licences, "capability");
  const limits = ofKind(licences, "limit");
  const inForce = (licence: Entitlement | undefined) =>
    licence && isInForce(licence, env.clock.now()) ? licence : undefined;
  return {
    id: tenant.id,
    name: tenant.name,
    status: tenant.status,
    provider: tenant.subdomain === PROVIDER_SUBDOMAIN,
    strictBodies: tenantSettingsOf(tenant).strictBodies,
    settings: tenant.settings ?? {},
    licensed: (capability) => inForce(capabilities.get(capability)) !== undefined,
    limit: (key) =>
      (inForce(limits.get(key))?.value as number | undefined) ?? env.use(settings).get(`limits.${key as LimitKey}`),
  };
}

/** Entitlements of one kind by key, so that a request need not build ids. */
function ofKind(licences: readonly Entitlement[], kind: EntitlementKind): ReadonlyMap<string, Entitlement> {
  return new Map(licences.filter((licence) => licence.kind === kind).map((licence) => [licence.key, licence]));
}

/** Name and settings of the tenant of a context. Within a transaction they are read through its connection. */
export function tenantOf(
  ctx: ReadContext,
): MaybePromise<Pick<PlatformTenant, "id" | "name"> & { readonly settings: ReturnType<typeof tenantSettingsOf> }> {
  const { tenantId } = ctx.db;
  const known = ctx.inTransaction ? undefined : ctx.env.use(platformGates).tenant(tenantId);
  return andThen(known, (held) =>
    andThen<Tenant | PlatformTenant, Awaited<ReturnType<typeof tenantOf>>>(
      held ?? ctx.getOrThrow(tenants, tenantId),
      (tenant) => ({ id: tenant.id, name: tenant.name, settings: tenantSettingsOf(tenant) }),
    ),
  );
}

export const platformGates = defineService("platform.gates", (env) => new PlatformGates(env));
