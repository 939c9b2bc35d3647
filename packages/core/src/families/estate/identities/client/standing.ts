import type { Context } from "../../../../kernel/operation/context.js";
import { alignClient, type ClientStanding, closeClient, dropCredentials, openClient } from "../../../identity/index.js";
import type { AssetReference } from "../../records/declare/kind.js";
import { hasCredentialsHere } from "../rules.js";
import type { Identity } from "../schema.js";

/** The state of an identity as sign-in checks it. */
export function standingOf(identity: Identity): ClientStanding {
  const { scopes, status, blockedBy, credentialExpiresAt, issuer, subject } = identity;
  return {
    scopes,
    allowed: status === "active" && blockedBy === null,
    expiresAt: credentialExpiresAt,
    issuer,
    subject,
  };
}

/** The agents of an identity run as it. */
export const identityReferences: readonly AssetReference[] = [
  { field: "agentIds", assetType: "agent", relation: "runs_as", end: "source" },
];

/** Applies a change of an identity to its machine client, in the same transaction. */
export async function followIdentity(
  ctx: Context,
  before: Identity | undefined,
  after: Identity | undefined,
): Promise<void> {
  const { id } = (after ?? before) as Identity;
  if (!after) return closeClient(ctx, id);
  if (!before) return openClient(ctx, id, standingOf(after));
  await alignClient(ctx, id, standingOf(after));
  if (hasCredentialsHere(before) && !hasCredentialsHere(after)) await dropCredentials(ctx, id);
}
