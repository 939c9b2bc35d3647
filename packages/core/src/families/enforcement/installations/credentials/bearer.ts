import { type BearerKind, clientPrincipal } from "#families/identity/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { timestamp } from "#ports/clock.js";
import { installationKeys, installations } from "../schema.js";
import { isSecret, secretKey } from "./secret.js";

/** The only permission of an installation, whatever its identity holds. */
const ACTS: ReadonlySet<string> = new Set(["installation:act"]);

/**
 * The principal of an installation by its credential. Everything is read from the store with each request, so that a
 * revocation is felt by the next one in every process.
 */
async function principalOf(env: Environment, credential: string): Promise<Principal> {
  const key = await env.store.platform.get(installationKeys, secretKey(env, credential));
  if (!key || key.value.expiresAt <= timestamp(env.clock.now())) throw new ReeveError("invalid_token");
  const { tenantId } = key;
  const installation = (await env.store.forTenant(tenantId).get(installations, key.value.of))?.value;
  if (installation?.status !== "active") throw new ReeveError("invalid_token");
  const principal = await clientPrincipal(env, tenantId, installation.identityId);
  return { ...principal, permissions: ACTS, tokenId: installation.id };
}

/** Credentials of installations, as bearers of the API. */
export const installationBearer: BearerKind = { isOne: (token) => isSecret("credential", token), principalOf };
