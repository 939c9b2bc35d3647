import { recordCredential, recordMachine, recordOwner } from "#families/accountability/index.js";
import {
  alignClient,
  type ClientStanding,
  closeClient,
  dropCredentials,
  openClient,
} from "#families/identity/index.js";
import type { Context } from "#kernel/operation/context.js";
import { requireAnsweringFor } from "../agents/answering-identity.js";
import type { AssetReference } from "../records/declare/kind.js";
import { hasCredentialsHere } from "./rules.js";
import type { Identity } from "./schema.js";

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
  const known = new Set(before?.agentIds);
  await requireAnsweringFor(ctx, after?.agentIds.filter((agent) => !known.has(agent)) ?? []);
  const { id } = (after ?? before) as Identity;
  if (!after) return closeClient(ctx, id);
  if (!before) {
    await recordMachine(ctx, id, after.owner?.id ?? null);
    return openClient(ctx, id, standingOf(after));
  }
  await followInvolved(ctx, before, after);
  await alignClient(ctx, id, standingOf(after));
  if (hasCredentialsHere(before) && !hasCredentialsHere(after)) await dropCredentials(ctx, id);
}

/** Records who owns an identity now, and who said whose tokens it takes. */
async function followInvolved(ctx: Context, before: Identity, after: Identity): Promise<void> {
  if (before.owner?.id !== after.owner?.id) await recordOwner(ctx, after.id, after.owner?.id ?? null);
  if (before.issuer !== after.issuer || before.subject !== after.subject) await recordCredential(ctx, after.id);
}
