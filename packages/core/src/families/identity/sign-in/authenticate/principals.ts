import type { HostPrincipal, Options } from "#families/options.js";
import { optionsOf } from "#families/options.js";
import { STATE_LIFETIME } from "#families/platform/index.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { authorizationOf, type NeutralRequest } from "#kernel/http/http.js";
import { timestamp } from "#ports/clock.js";
import type { Row } from "#store/row.js";
import { loadClient } from "../../clients/look-up-client.js";
import { machineClients } from "../../clients/schema.js";
import { foreignTokens } from "../../issuers/verify/foreign-tokens.js";
import { foreignUsers, hasAccount, roleMapOf } from "../../issuers/verify/foreign-users.js";
import { roles } from "../../roles/rules.js";
import { isRequired } from "../../second-factors/queries.js";
import { presentedSession } from "../../sessions/browser/find-session.js";
import type { BrowserSession } from "../../sessions/browser/schema.js";
import { revocations } from "../../tokens/revoked-tokens.js";
import type { TokenClaims } from "../../tokens/token-claims.js";
import { tokens } from "../../tokens/token-service.js";
import { credentials } from "../../users/passwords/credentials.js";
import { users } from "../../users/schema.js";
import { bearerKinds } from "./bearer-kinds.js";
import { hostPrincipal } from "./host-principal.js";

const PRINCIPALS = 10_000;
const MAX_TOKEN = 8_192;
const CLIENT_ID = /^idn_/;

interface Held {
  readonly principal: Principal;
  readonly securityVersion: number;
  /** Id of the token of an earlier version that is still good. */
  readonly keptToken?: string | null;
  /** When the identity of a client expires. */
  readonly expiresAt?: string | null;
  readonly readAt: number;
  /** The count of invalidations when it was read. */
  readonly drops: number;
}

interface Made {
  readonly held: Held;
  readonly principal: Principal;
}

/** The current principal of a token or an id. Roles and security version come from the store, not from the token. */
class Principals {
  readonly #held = boundedCache<string, Held>(PRINCIPALS);
  /** Principals by claims. Claims are the same object while their token is cached. */
  readonly #made = new WeakMap<TokenClaims, Made>();
  /** Raised by each invalidation, so that an older read is not cached. */
  #drops = 0;

  constructor(readonly env: Environment) {
    env.onBroadcast([users, credentials, machineClients], (tenantId) => {
      this.#drops += 1;
      if (tenantId === undefined) this.#held.clear();
      else for (const key of this.#held.keys()) if (key.startsWith(`${tenantId} `)) this.#held.delete(key);
    });
  }

  /**
   * Whom the host has signed in, or the principal of the bearer token. `undefined` without either, 401 with an invalid
   * bearer. `at`: the address of its own that tokens may be for.
   */
  authenticate(request: NeutralRequest, at?: string): MaybePromise<Principal | undefined> {
    const { authenticate } = optionsOf(this.env);
    return authenticate ? this.#ofHost(request, authenticate, at) : this.#ofBearer(request, at);
  }

  async #ofHost(
    request: NeutralRequest,
    authenticate: NonNullable<Options["authenticate"]>,
    at: string | undefined,
  ): Promise<Principal | undefined> {
    const hosted = await authenticate(request);
    return hosted ? this.ofHosted(hosted) : this.#ofBearer(request, at);
  }

  /** The principal of a person whom the host has signed in. */
  ofHosted(person: HostPrincipal, roleMap?: Options["roleMap"]): Promise<Principal> {
    return hostPrincipal(this.env, person, (tenantId, userId) => this.of(tenantId, userId), roleMap);
  }

  #ofBearer(request: NeutralRequest, at: string | undefined): MaybePromise<Principal | undefined> {
    const header = authorizationOf(request);
    if (header === undefined) return undefined;
    if (!header.startsWith("Bearer ") || header.length > MAX_TOKEN) throw new ReeveError("invalid_token");
    return this.ofToken(header.slice(7), at);
  }

  /** The current principal of a token. 401 when the token is invalid, or for another address than `at`. */
  ofToken(token: string, at?: string): MaybePromise<Principal> {
    const kind = this.env.use(bearerKinds).find(({ isOne }) => isOne(token));
    if (kind) return kind.principalOf(this.env, token);
    if (this.env.use(foreignTokens).isFrom(token)) return this.#ofForeign(token);
    return andThen(this.env.use(tokens).verify(token, at), (claims) => this.#ofClaims(claims));
  }

  #ofClaims(claims: TokenClaims): MaybePromise<Principal> {
    const { tenantId, userId, tokenId } = claims;
    return andThen(this.env.use(revocations).has(tenantId, tokenId), (isRevoked) => {
      if (isRevoked) throw new ReeveError("invalid_token");
      const made = this.#made.get(claims);
      if (made && made.held.drops === this.#drops && this.#counts(made.held)) return made.principal;
      return andThen(this.#load(tenantId, userId), (held) => this.#present(held, claims));
    });
  }

  async #ofForeign(text: string): Promise<Principal> {
    const token = await this.env.use(foreignTokens).verify(text);
    const person = await this.env.use(foreignUsers).of(token);
    const { tokenId, expiresAt } = token;
    if (await this.env.use(revocations).has(person.tenantId, tokenId)) throw new ReeveError("invalid_token");
    const principal = await this.ofHosted(person, roleMapOf(this.env, token.trusted));
    return { ...principal, tokenId, tokenExpiresAt: expiresAt };
  }

  /**
   * The principal of the browser session whose cookie a request has. `undefined` without one, or where its sign-in no longer
   * counts: then they sign in again.
   */
  async ofBrowser(request: NeutralRequest): Promise<Principal | undefined> {
    const row = await presentedSession(this.env, request);
    if (!row) return undefined;
    try {
      return { ...(await this.#ofSession(row)), bySession: true };
    } catch (error) {
      if (ReeveError.is(error) && error.status === 401) return undefined;
      throw error;
    }
  }

  async #ofSession({ tenantId, value: session }: Row<BrowserSession>): Promise<Principal> {
    const withFactor = session.factor !== null;
    // A session is long, and the tenant may have come to demand a second factor since.
    if (!withFactor && (await isRequired(this.env, tenantId))) throw new ReeveError("invalid_token");
    const { id: tokenId, userId, username, securityVersion, issuer, authenticatedAt } = session;
    if (issuer !== null) return this.#ofIssuer(tenantId, session, issuer);
    if (securityVersion === null || authenticatedAt === null) throw new ReeveError("invalid_token");
    const times = { authenticatedAt: Date.parse(authenticatedAt), expiresAt: Date.parse(session.expiresAt) };
    const claims = { username, userId, tenantId, tokenId, securityVersion, withFactor, ...times };
    return presented(await this.#load(tenantId, userId), claims);
  }

  /** The principal of a session that began at an OpenID provider. It ends when the issuer is no longer trusted. */
  async #ofIssuer(tenantId: string, session: BrowserSession, issuer: string): Promise<Principal> {
    const { id: tokenId, securityVersion } = session;
    const trusted = optionsOf(this.env).trustedIssuers.find((one) => one.issuer === issuer);
    if (!trusted) throw new ReeveError("invalid_token");
    const principal = await this.ofHosted(foreignPerson(tenantId, session), roleMapOf(this.env, trusted));
    const found = { ...principal, tokenId, tokenExpiresAt: Date.parse(session.expiresAt) };
    if (securityVersion === null) {
      if (await hasAccount(this.env, tenantId, session)) throw new ReeveError("invalid_token");
      return found;
    }
    const held = await this.#load(tenantId, session.userId);
    const isCurrent = held.securityVersion === securityVersion || held.keptToken === tokenId;
    if (!isCurrent || held.principal.username !== session.username) throw new ReeveError("invalid_token");
    return { ...found, securityVersion };
  }

  #present(held: Held, claims: TokenClaims): Principal {
    const principal = presented(held, claims);
    this.#made.set(claims, { held, principal });
    return principal;
  }

  /** Whether a cached entry is still valid. */
  #counts(held: Held): boolean {
    const now = this.env.clock.now();
    return now - held.readAt < STATE_LIFETIME && !isOver(held, now);
  }

  /** The principal of an active user or AI identity, for calls in process. 401 when there is none. */
  async of(tenantId: string, userId: string): Promise<Principal> {
    return (await this.#load(tenantId, userId)).principal;
  }

  #load(tenantId: string, userId: string): MaybePromise<Held> {
    const key = `${tenantId} ${userId}`;
    const known = this.#held.get(key);
    return known && this.#counts(known) ? known : this.#read(key, tenantId, userId, this.env.clock.now());
  }

  async #read(key: string, tenantId: string, userId: string, readAt: number): Promise<Held> {
    const drops = this.#drops;
    const loaded = CLIENT_ID.test(userId)
      ? await loadClient(this.env, tenantId, userId)
      : await this.#loadUser(tenantId, userId);
    const held = { ...loaded, readAt, drops };
    if (drops === this.#drops) this.#held.set(key, held);
    return held;
  }

  async #loadUser(tenantId: string, userId: string): Promise<Omit<Held, "readAt" | "drops">> {
    const reader = this.env.store.forTenant(tenantId);
    const [user, credential] = await Promise.all([reader.get(users, userId), reader.get(credentials, userId)]);
    if (!user || !credential || user.value.status !== "active") throw new ReeveError("invalid_token");
    const { username, roles: names } = user.value;
    const permissions = this.env.use(roles).permissionsOf(names);
    const principal: Principal = { kind: "user", tenantId, userId, username, roles: names, permissions };
    const { securityVersion, keptToken } = credential.value;
    return { principal, securityVersion, keptToken };
  }
}

/** The person of a session, as the issuer told at sign-in. */
function foreignPerson(tenantId: string, session: BrowserSession): HostPrincipal {
  const { userId, username, roles: named, factor, authenticatedAt } = session;
  const proven = authenticatedAt === null ? {} : { authenticatedAt: Date.parse(authenticatedAt) };
  return { tenantId, userId, username, ...(named ? { roles: named } : {}), withFactor: factor !== null, ...proven };
}

function isOver({ expiresAt }: Held, now: number): boolean {
  return typeof expiresAt === "string" && expiresAt <= timestamp(now);
}

/** The principal as limited by this token. 401 when a later change has invalidated the token. */
function presented({ principal, securityVersion, keptToken }: Held, claims: TokenClaims): Principal {
  const isCurrent = securityVersion === claims.securityVersion || keptToken === claims.tokenId;
  if (!isCurrent || principal.username !== claims.username) throw new ReeveError("invalid_token");
  const { tokenId, expiresAt: tokenExpiresAt, authenticatedAt, securityVersion: of, withFactor } = claims;
  // People get tokens of this service for their password only, and for a second factor besides.
  const factor = withFactor ? ({ withFactor } as const) : {};
  const by = principal.kind === "user" ? ({ authenticatedBy: "password", ...factor } as const) : {};
  const found = { ...principal, tokenId, securityVersion: of, tokenExpiresAt, authenticatedAt, ...by };
  return claims.scope ? narrowed(found, claims.scope) : found;
}

/** A principal with only those of its permissions that are in the scope. It has no roles, so it can grant none. */
function narrowed(principal: Principal, scope: readonly string[]): Principal {
  const permissions = new Set(scope.filter((permission) => principal.permissions.has(permission)));
  return { ...principal, roles: [], permissions };
}

export const principals = defineService("identity.principals", (env) => new Principals(env));
