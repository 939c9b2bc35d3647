import { type HostPrincipal, type Options, optionsOf, type TrustedIssuer } from "#families/options.js";
import { STATE_LIFETIME, tenantNamed, tenants } from "#families/platform/index.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { foreignIdentities } from "../../users/foreign-identities.js";
import { foldUsername, users } from "../../users/schema.js";
import type { ForeignToken } from "./foreign-tokens.js";
import { strangerId } from "./link-user.js";
import { linkedUser } from "./linked-users.js";

const TOKENS = 10_000;
const TEXT = 254;
const ROLES = 100;

interface Held {
  readonly user: HostPrincipal;
  readonly readAt: number;
}

/** Principals of tokens of trusted issuers, cached for at most five seconds. */
class ForeignUsers {
  readonly #held = boundedCache<string, Held>(TOKENS);
  /** Raised by each invalidation, so that an older read is not cached. */
  #drops = 0;

  constructor(readonly env: Environment) {
    env.onBroadcast([users, tenants], () => {
      this.#drops += 1;
      this.#held.clear();
    });
  }

  /** The person behind a token. 401 unless its claims name a tenant, and a person who may act there. */
  async of(token: ForeignToken): Promise<HostPrincipal> {
    const held = this.#held.get(token.tokenId);
    const readAt = this.env.clock.now();
    if (held && readAt - held.readAt < STATE_LIFETIME) return held.user;
    const drops = this.#drops;
    const user = await foreignUser(this.env, token);
    if (drops === this.#drops) this.#held.set(token.tokenId, { user, readAt });
    return user;
  }
}

export const foreignUsers = defineService("identity.foreignUsers", (env) => new ForeignUsers(env));

/** The tenant of the issuer, or the one that the tenant claim names by id, subdomain or alias. `undefined` for none. */
export async function claimedTenant(env: Environment, { trusted, claims }: ForeignToken): Promise<string | undefined> {
  const named = trusted.tenantClaim === undefined ? trusted.tenant : claims[trusted.tenantClaim];
  return isText(named) ? tenantNamed(env, named) : undefined;
}

async function foreignUser(env: Environment, token: ForeignToken): Promise<HostPrincipal> {
  const { trusted, claims } = token;
  const name = trusted.usernameClaim === undefined ? undefined : claims[trusted.usernameClaim];
  const tenantId = isText(name) ? await claimedTenant(env, token) : undefined;
  if (tenantId === undefined) throw new ReeveError("invalid_token");
  const username = foldUsername(name as string);
  const stored = await linkedUser(env, tenantId, token, username);
  const roles = claimedRoles(token, roleMapOf(env, trusted));
  if (!stored && !roles) throw new ReeveError("invalid_token");
  const shown = stored ? foldUsername(stored.username) : username;
  return {
    tenantId,
    userId: stored?.id ?? strangerId(token.trusted.issuer, token.subject),
    username: shown,
    ...(roles ? { roles } : {}),
  };
}

/** Whether somebody whom only an issuer knew has an account by now, as which they are to sign in. */
export async function hasAccount(
  env: Environment,
  tenantId: string,
  {
    issuer,
    subject,
    username,
  }: { readonly issuer: string | null; readonly subject: string | null; readonly username: string },
): Promise<boolean> {
  const reader = env.store.forTenant(tenantId);
  const found = await Promise.all([
    issuer !== null && subject !== null ? reader.lookup(foreignIdentities, "subject", { issuer, subject }) : undefined,
    reader.lookup(users, "username", { username }),
  ]);
  return found.some((row) => row !== undefined);
}

/** The claims of an issuer's tokens that say who somebody is. */
export function readClaims(trusted: TrustedIssuer): readonly string[] {
  const { tenantClaim, usernameClaim, rolesClaim, nameClaim, newUserRoles, usernamesVerified } = trusted;
  const verified = usernamesVerified ? [] : ["email", "email_verified"];
  const named = newUserRoles ? nameClaim : undefined;
  return [tenantClaim, usernameClaim, rolesClaim, named, ...verified].filter((claim) => claim !== undefined);
}

/** The roles by names of the issuer's groups. `undefined` when names are roles. */
export function roleMapOf(env: Environment, { roleMap }: TrustedIssuer): Options["roleMap"] {
  return roleMap ?? optionsOf(env).roleMap;
}

/** A text is one name when `roleMap` has it whole, else names separated by spaces. */
function claimedRoles({ trusted, claims }: ForeignToken, map: Options["roleMap"]): readonly string[] | undefined {
  if (trusted.rolesClaim === undefined) return undefined;
  const roles = claims[trusted.rolesClaim];
  const names = typeof roles === "string" ? namesIn(roles, map) : roles;
  return Array.isArray(names) ? names.filter(isText).slice(0, ROLES) : [];
}

function namesIn(text: string, map: Options["roleMap"]): readonly string[] {
  return map && Object.hasOwn(map, text) ? [text] : text.split(" ");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= TEXT;
}
