import { optionsOf } from "#families/options.js";
import type { Principal } from "#kernel/config/principal.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import type { Row } from "#store/row.js";
import { roles } from "../roles/rules.js";
import { tokens } from "../tokens/token-service.js";
import type { User } from "../users/schema.js";
import { startFamily } from "./refresh-family.js";
import type { Method } from "./schema.js";

/** The user whose password was verified, with the version of that credential. A second factor may be demanded yet. */
export interface ProvenPassword {
  readonly row: Row<User>;
  readonly securityVersion: number;
}

/** A user who has proven all that is demanded of them. */
export interface ProvenPerson extends ProvenPassword {
  /** What they proved besides the password; `null` where nothing else was demanded. */
  readonly factor: Method | null;
  /** New recovery codes, to be shown with the sign-in. */
  readonly recoveryCodes?: readonly string[] | undefined;
}

/** Signs in an authenticated user: issues an access token and a refresh token, and stores the event. */
export async function startSession(ctx: OutsideContext, { row, securityVersion, factor, recoveryCodes }: ProvenPerson) {
  const { tenantId, value: user } = row;
  const tokenId = ctx.newId("tok");
  const authenticatedAt = ctx.request.nowMs;
  const withFactor = factor !== null;
  const who = { username: user.username, userId: user.id, tenantId };
  const claims = { ...who, tokenId, securityVersion, authenticatedAt, withFactor };
  const { token, expiresAt } = await ctx.env.use(tokens).issue(claims, optionsOf(ctx.env).refreshTokenLifetime);
  const family = await ctx.write(
    async (inner) => {
      await inner.emit({
        type: "user.signed_in",
        subject: { id: user.id, type: "user", path: `/api/v1/users/${user.id}` },
        data: {
          entity: { type: "user", id: user.id, name: user.name },
          tokenId,
          expiresAt: timestamp(expiresAt),
          factor,
        },
      });
      return startFamily(inner, { id: user.id, securityVersion, withFactor }, { tokenId, expiresAt });
    },
    userPrincipal(ctx, tenantId, user),
  );
  const { id, username, name } = user;
  return {
    token,
    tokenType: "Bearer" as const,
    expiresAt: timestamp(expiresAt),
    ...family,
    user: { id, username, name, roles: user.roles },
    ...(recoveryCodes ? { recoveryCodes: [...recoveryCodes] } : {}),
  };
}

/** The principal of a user without a token. */
export function userPrincipal(ctx: ReadContext, tenantId: string, user: User): Principal {
  const { id: userId, username, roles: names } = user;
  const permissions = ctx.env.use(roles).permissionsOf(names);
  return { kind: "user", tenantId, userId, username, roles: names, permissions };
}
