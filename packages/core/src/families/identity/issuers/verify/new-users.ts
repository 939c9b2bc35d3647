import { randomBytes } from "node:crypto";
import { platformGates } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { processContext, processFacts } from "#kernel/operation/system-context.js";
import { StoreError } from "#store/store-error.js";
import { foreignIdentities } from "../../users/foreign-identities.js";
import { addUser } from "../../users/operations.js";
import { type User, UserCreate, users } from "../../users/schema.js";
import type { ForeignToken } from "./foreign-tokens.js";
import { isVerified, linkUser } from "./link-user.js";

/**
 * The user that a person of an issuer becomes at the first sign-in, linked with the subject. The password is one that
 * nobody knows. 401 when the address is not verified or the tenant has no room.
 */
export async function addForeignUser(
  env: Environment,
  tenantId: string,
  token: ForeignToken,
  username: string,
): Promise<User> {
  const { trusted, claims, subject } = token;
  const name = trusted.nameClaim === undefined ? undefined : claims[trusted.nameClaim];
  const given = { username, roles: trusted.newUserRoles, ...(typeof name === "string" && name !== "" ? { name } : {}) };
  const { data } = UserCreate.safeParse(given);
  // No room is taken in a tenant that is suspended.
  const tenant = await env.use(platformGates).tenant(tenantId);
  if (!data || tenant?.status !== "active" || !isVerified(token, username)) throw new ReeveError("invalid_token");
  const passwordHash = await env.hasher.hash(randomBytes(32).toString("base64url"));
  const identity = { issuer: trusted.issuer, subject };
  const system = processContext(env, systemPrincipal(tenantId), processFacts(env, "link", { tenant }));
  try {
    return await system.write(async (ctx) => {
      const user = await addUser(ctx, { ...data, passwordHash });
      await linkUser(ctx, user, identity);
      return user;
    });
  } catch (error) {
    if (ReeveError.is(error) && error.code === "limit_exceeded")
      throw new ReeveError("invalid_token", "The tenant has no room for another user.", { cause: error });
    if (!StoreError.is(error) || error.code !== "duplicate") throw error;
    // Another request has made them. It is read in a transaction, because that may not be committed yet.
    const made = await system.write(async (ctx) => {
      const link = await ctx.db.lookup(foreignIdentities, "subject", identity);
      return link && ctx.db.get(users, link.value.userId);
    });
    if (!made) throw new ReeveError("invalid_token");
    return made.value;
  }
}
