import { isHostName, isLocalName } from "#egress/host-name.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { STATE_LIFETIME } from "../tenants/fields.js";
import { tenants } from "../tenants/schema.js";

const HOSTS = 10_000;

interface Held {
  readonly tenantId: string | undefined;
  readonly readAt: number;
}

/** The tenant of a host, cached for at most five seconds. A broadcast change drops the cache at once. */
class TenantHosts {
  readonly #base: string;
  /**
   * The last header that named the base host or an address. It is the commonest one, so it is compared before parsing.
   */
  #nobodys: string | undefined;
  #held = boundedCache<string, Held>(HOSTS);

  constructor(readonly env: Environment) {
    this.#base = new URL(env.options.baseUrl).hostname;
    env.onBroadcast([tenants], () => {
      // A new cache instead of a cleared one, because a read in progress may have missed this commit.
      this.#held = boundedCache(HOSTS);
    });
  }

  /**
   * The tenant whose subdomain or active alias this is. `undefined` for other hosts and without a host. 400 for `null`.
   */
  tenantOf(host: string | null | undefined): MaybePromise<string | undefined> {
    if (host === undefined || host === this.#nobodys) return undefined;
    if (host === null) throw new ReeveError("invalid_request", "The header Host was sent more than once.");
    const name = nameOf(host);
    if (name === this.#base || !isHostName(name)) {
      this.#nobodys = host;
      return undefined;
    }
    const cache = this.#held;
    const known = cache.get(name);
    const readAt = this.env.clock.now();
    if (known && readAt - known.readAt < STATE_LIFETIME) return known.tenantId;
    return this.#read(name).then((tenantId) => {
      cache.set(name, { tenantId, readAt });
      return tenantId;
    });
  }

  /** Whether a tenant can be reached at a host: any host except those of other tenants. */
  admits(host: string | null | undefined, tenantId: string): MaybePromise<boolean> {
    return andThen(this.tenantOf(host), (only) => only === undefined || only === tenantId);
  }

  async #read(name: string): Promise<string | undefined> {
    const { platform } = this.env.store;
    if (name.endsWith(`.${this.#base}`)) {
      const subdomain = name.slice(0, -this.#base.length - 1);
      return subdomain.includes(".")
        ? undefined
        : (await platform.lookup(tenants, "subdomain", { subdomain }))?.tenantId;
    }
    return isLocalName(name) ? undefined : (await platform.lookup(tenants, "alias", { activeAlias: name }))?.tenantId;
  }
}

/** The name in a Host header in the form that is compared: no port, no trailing dot, lower case. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
}

export const tenantHosts = defineService("platform.tenantHosts", (env) => new TenantHosts(env));
