import { HttpUrl } from "#families/estate/index.js";
import type { Principal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import type { Asked, Grounds, Parties, Refusal } from "./judge-request.js";

/** What a client asks for, whoever the person is. */
export type Wish = Omit<Asked, "userId">;

interface Issued {
  readonly assertionId: string;
  readonly resource: string;
  readonly expiresAt: string;
}

/** Stores that an assertion is issued, without the assertion. */
export async function noteIssue(ctx: Context, asked: Asked, grounds: Grounds, issued: Issued): Promise<void> {
  const { server, clientId, scopes, assignments } = grounds;
  const assignmentIds = assignments.map(({ id }) => id);
  await ctx.emit({
    type: "access.assertion.issued",
    ...about(asked, grounds),
    data: {
      ...named(asked, grounds),
      ...{ userId: asked.userId, audience: server.authorization.issuer, clientId, scopes, assignmentIds },
      ...issued,
    },
  });
}

/** Stores that an assertion is refused. What no record says is left out, where it may be anything. */
export async function noteRefusal(
  ctx: Context,
  asked: Wish,
  person: Principal | undefined,
  { refusal, ...parties }: Parties & { readonly refusal: Refusal },
): Promise<{ readonly refusal: Refusal }> {
  const { audience, resource, scopes } = asked;
  const known = parties.server?.authorization?.scopes ?? [];
  await ctx.emit({
    type: "access.assertion.refused",
    ...about(asked, parties),
    data: {
      ...named(asked, parties),
      ...(person ? { userId: person.userId } : {}),
      ...(HttpUrl.safeParse(audience).success ? { audience } : {}),
      ...(HttpUrl.safeParse(resource).success ? { resource } : {}),
      ...(scopes ? { scopes: scopes.filter((scope) => known.includes(scope)) } : {}),
      ...{ error: refusal.error, reasons: refusal.reasons },
    },
    outcome: "denied",
  });
  return { refusal };
}

const about = ({ identityId }: Wish, { agent, server }: Parties) => ({
  subject: { id: identityId, type: "ai_identity", path: `/api/v1/ai/identities/${identityId}` },
  related: [agent?.assetId, server?.assetId].filter((id) => id !== undefined),
});

const named = ({ identityId }: Wish, { agent, server }: Parties) => ({
  entity: { type: "ai_identity", id: identityId, name: identityId },
  ...(agent ? { agentId: agent.assetId } : {}),
  ...(server ? { serverId: server.assetId } : {}),
});
