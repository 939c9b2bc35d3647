import { aesSecretBox, type SecretBox } from "#ports/secret-box.js";
import { boundedCache } from "../../async/bounded-cache.js";
import { defineService, type Environment } from "../../config/environment.js";
import { ReeveError } from "../../http/errors.js";
import { activeDataKey, dataKeys, unwrapped } from "./data-keys.js";

const KEYS = 10_000;
/** How long a process keeps sealing with a key that another process has superseded, in milliseconds. */
export const ACTIVE_LIFETIME = 5_000;
const SEALED = /^s1\.(dek_[0-9A-Z]{26})\.([\w-]+)$/;

/** Where a secret is kept. It can be opened only for this tenant, collection, record and field. */
export interface SecretPlace {
  readonly tenantId: string;
  readonly collection: string;
  readonly id: string;
  readonly field: string;
}

/**
 * Seals secrets with AES-256-GCM under a key of the tenant, which the master key wraps. Seal before a transaction
 * opens, because the first secret of a tenant creates its key.
 */
class Vault {
  readonly #boxes = boundedCache<string, SecretBox>(KEYS);
  readonly #active = boundedCache<string, { readonly id: string; readonly readAt: number }>(KEYS);

  constructor(readonly env: Environment) {
    env.onBroadcast([dataKeys], (tenantId) => {
      if (tenantId === undefined) this.#active.clear();
      else this.#active.delete(tenantId);
    });
  }

  async seal(place: SecretPlace, plain: string): Promise<string> {
    const id = await this.#activeId(place.tenantId);
    const box = await this.#box(place.tenantId, id);
    return `s1.${id}.${box.seal(plain, contextOf(place))}`;
  }

  /** The secret. 503 `secret_unavailable` when its key is missing or the text was not sealed for this place. */
  async open(place: SecretPlace, sealed: string): Promise<string> {
    const [, id, body] = SEALED.exec(sealed) ?? [];
    if (id === undefined || body === undefined) throw new ReeveError("secret_unavailable");
    const plain = (await this.#box(place.tenantId, id)).open(body, contextOf(place));
    if (plain === undefined) throw new ReeveError("secret_unavailable");
    return plain;
  }

  async #activeId(tenantId: string): Promise<string> {
    const held = this.#active.get(tenantId);
    const readAt = this.env.clock.now();
    if (held && readAt - held.readAt < ACTIVE_LIFETIME) return held.id;
    const { id, key } = await activeDataKey(this.env, tenantId, "secrets");
    this.#boxes.set(`${tenantId} ${id}`, aesSecretBox(key));
    this.#active.set(tenantId, { id, readAt });
    return id;
  }

  async #box(tenantId: string, id: string): Promise<SecretBox> {
    const held = this.#boxes.get(`${tenantId} ${id}`);
    if (held) return held;
    const row = await this.env.store.forTenant(tenantId).get(dataKeys, id);
    if (!row) throw new ReeveError("secret_unavailable");
    const box = aesSecretBox((await unwrapped(this.env, tenantId, row.value)).key);
    this.#boxes.set(`${tenantId} ${id}`, box);
    return box;
  }
}

export const vault = defineService("kernel.vault", (env) => new Vault(env));

/** The id of the data key that sealed a text; `undefined` for text that was not sealed here. */
export function sealedBy(sealed: string): string | undefined {
  return SEALED.exec(sealed)?.[1];
}

function contextOf({ tenantId, collection, id, field }: SecretPlace): string {
  return `${tenantId}|${collection}|${id}|${field}`;
}
