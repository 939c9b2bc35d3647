import type { Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { timestamp } from "#ports/clock.js";
import { isIdOf } from "#store/collection.js";
import { roles } from "../roles/rules.js";
import { grantedScopes, isUsable } from "./rules.js";
import { type ClientCredential, clientCredentials, type MachineClient, machineClients } from "./schema.js";

/** Client ids are ids of identities. Anything else is not looked up. */
export const IDENTITY = { prefix: "idn" };

/** A client, for token endpoints. */
export interface PresentedClient {
  readonly tenantId: string;
  readonly identityId: string;
  readonly scopes: readonly string[];
  readonly securityVersion: number;
  /** Credentials that have not expired. Each has either a hash or a key. */
  readonly credentials: readonly Pick<ClientCredential, "id" | "secretHash" | "publicJwk" | "expiresAt">[];
  /** Whether the identity may act now. Check it only after the credential. */
  readonly usable: boolean;
}

/**
 * The client with this client id, of any tenant. `undefined` when there is none. The caller checks the state of the
 * tenant.
 */
export async function clientByCredential(env: Environment, clientId: string): Promise<PresentedClient | undefined> {
  const row = isIdOf(IDENTITY, clientId) ? await env.store.platform.get(machineClients, clientId) : undefined;
  if (!row) return undefined;
  const query = { where: { identityId: row.id }, size: 1_000 };
  const { rows } = await env.store.forTenant(row.tenantId).find(clientCredentials, query);
  const credentials = rows.map(({ value }) => value);
  return presented(env, row.tenantId, row.value, credentials);
}

/**
 * The client of a tenant whose identity has this issuer and subject, for tokens of trusted issuers. `undefined` when
 * there is none.
 */
export async function clientBySubject(
  env: Environment,
  tenantId: string,
  issuer: string,
  subject: string,
): Promise<PresentedClient | undefined> {
  const { rows } = await env.store.forTenant(tenantId).find(machineClients, { where: { issuer, subject }, size: 1 });
  return rows[0] && presented(env, tenantId, rows[0].value, []);
}

function presented(
  env: Environment,
  tenantId: string,
  client: MachineClient,
  credentials: readonly ClientCredential[],
): PresentedClient {
  const now = timestamp(env.clock.now());
  const live = credentials
    .filter(({ expiresAt }) => expiresAt > now)
    .map(({ id, secretHash, publicJwk, expiresAt }) => ({ id, secretHash, publicJwk, expiresAt }));
  return {
    tenantId,
    identityId: client.id,
    scopes: grantedScopes(env.use(roles), client.scopes),
    securityVersion: client.securityVersion,
    credentials: live,
    usable: isUsable(client, now),
  };
}

/** A client as a principal, with what limits its validity. */
export interface LoadedClient {
  readonly principal: Principal;
  readonly securityVersion: number;
  readonly expiresAt: string | null;
}

/** Reads a client's principal from the store. 401 when the identity is unknown or may not act now. */
export async function loadClient(env: Environment, tenantId: string, identityId: string): Promise<LoadedClient> {
  const reader = env.store.forTenant(tenantId);
  const client = isIdOf(IDENTITY, identityId) ? (await reader.get(machineClients, identityId))?.value : undefined;
  if (!client || !isUsable(client, timestamp(env.clock.now()))) throw new ReeveError("invalid_token");
  const permissions = new Set<string>(grantedScopes(env.use(roles), client.scopes));
  const who = { userId: identityId, username: identityId, roles: [], permissions };
  return {
    principal: { kind: "client", tenantId, ...who },
    securityVersion: client.securityVersion,
    expiresAt: client.expiresAt,
  };
}

/** The principal of an AI identity. 401 when it is unknown or may not act now. */
export async function clientPrincipal(env: Environment, tenantId: string, identityId: string): Promise<Principal> {
  return (await loadClient(env, tenantId, identityId)).principal;
}
