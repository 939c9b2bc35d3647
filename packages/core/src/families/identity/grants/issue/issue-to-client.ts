import type { Principal } from "#kernel/config/principal.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import type { PresentedClient } from "../../clients/look-up-client.js";
import { tokens } from "../../tokens/token-service.js";
import type { TokenAnswer } from "../schema.js";
import { requestedAudience } from "./audience.js";
import { requestedScope } from "./scope.js";

interface Wish {
  readonly scope: string | undefined;
  readonly resource: string | undefined;
  /** The longest lifetime of the token in seconds. When absent, the option's applies. */
  readonly lifetime?: number;
  /** Further data of the event. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Signs a token for a client, limited to the requested scope, and stores the event. */
export async function issueToClient(ctx: OutsideContext, client: PresentedClient, wish: Wish): Promise<TokenAnswer> {
  const { tenantId, identityId, scopes, securityVersion } = client;
  const scope = requestedScope(wish.scope, new Set(scopes)) ?? scopes;
  const tokenId = ctx.newId("tok");
  const authenticatedAt = ctx.request.nowMs;
  const claims = { username: identityId, userId: identityId, tenantId, tokenId, securityVersion, authenticatedAt };
  const narrowed = { ...(wish.scope === undefined ? {} : { scope }), ...requestedAudience(ctx.env, wish.resource) };
  const { token, expiresAt, expiresIn } = await ctx.env.use(tokens).issue({ ...claims, ...narrowed }, wish.lifetime);
  await ctx.write(
    (inner) =>
      inner.emit({
        type: "client.signed_in",
        subject: { id: identityId, type: "ai_identity", path: `/api/v1/ai/identities/${identityId}` },
        data: {
          entity: { type: "ai_identity", id: identityId, name: identityId },
          tokenId,
          expiresAt: timestamp(expiresAt),
          ...wish.data,
        },
      }),
    clientAsPrincipal(client),
  );
  return { access_token: token, token_type: "Bearer", expires_in: expiresIn, scope: scope.join(" ") };
}

/** The principal of a client that has no token yet. */
function clientAsPrincipal({ tenantId, identityId, scopes }: PresentedClient): Principal {
  const who = { userId: identityId, username: identityId, roles: [], permissions: new Set<string>(scopes) };
  return { kind: "client", tenantId, ...who };
}
