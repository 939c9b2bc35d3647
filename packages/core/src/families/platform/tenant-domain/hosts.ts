import { LRUCache } from "lru-cache";
import { isHostName, isLocalName } from "../../../egress/host-name.js";
import { defineService, type Environment } from "../../../kernel/environment.js";
import { ReeveError } from "../../../kernel/errors.js";
import { STATE_LIFETIME } from "../constants.js";
import { tenants } from "../tenants/schema.js";

const HOSTS = 10_000;

interface Held {
  readonly tenantId: string | undefined;
  readonly readAt: number;
}

/** Which tenant a host belongs to, remembered for at most five seconds and forgotten at once on a change that is heard of. */
class TenantHosts {
  readonly #base: string;
  #held = new LRUCache<string, Held>({ max: HOSTS });

  constructor(readonly env: Environment) {
    this.#base = new URL(env.options.baseUrl).hostname;
    env.onWatched([tenants], () => {
      // A new cache and not a cleared one: what is being read just now may be from before this commit.
      this.#held = new LRUCache({ max: HOSTS });
    });
  }

  /** The tenant whose subdomain or active alias this is; `undefined` for every other host and for none. 400 for `null`. */
  async tenantOf(host: string | null | undefined): Promise<string | undefined> {
    if (host === undefined) return undefined;
    if (host === null) throw new ReeveError("invalid_request", "The header Host was sent more than once.");
    const name = nameOf(host);
    if (name === this.#base || !isHostName(name)) return undefined;
    const cache = this.#held;
    const known = cache.get(name);
    const readAt = this.env.clock.now();
    if (known && readAt - known.readAt < STATE_LIFETIME) return known.tenantId;
    const tenantId = await this.#read(name);
    cache.set(name, { tenantId, readAt });
    return tenantId;
  }

  /** Whether a tenant can be met at a host: anywhere but at the host of another one. */
  async admits(host: string | null | undefined, tenantId: string): Promise<boolean> {
    const only = await this.tenantOf(host);
    return only === undefined || only === tenantId;
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

/** The name in a Host header, as names are compared: no port, no trailing dot, lower case. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
}

export const tenantHosts = defineService("platform.tenantHosts", (env) => new TenantHosts(env));
