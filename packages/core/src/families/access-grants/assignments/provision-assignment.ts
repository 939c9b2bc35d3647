import {
  accessIdentities,
  accessProfiles,
  accessResources,
  blockersOf,
  requireNone,
  requireParameters,
} from "#families/access/index.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { grantKeyOf } from "../reconciliation/rules.js";
import { isBounded } from "./assignment-time.js";
import { type AccessAssignment, accessAssignments } from "./schema.js";

/** Access that was decided. Exactly one of `isPermanent`, `duration` and `expiresAt` says how long it lasts. */
export interface DecidedAccess
  extends Pick<
    AccessAssignment,
    "requestId" | "source" | "assetId" | "identityId" | "accessProfileId" | "resourceId" | "parameters"
  > {
  readonly isPermanent: boolean;
  readonly duration: string | null;
  readonly expiresAt: string | null;
  /** When it begins; now when absent. */
  readonly notBefore?: string;
}

/**
 * Stores access that was decided, in the transaction of the decision. Its reconciliations have the targets grant it afterwards.
 * Whoever calls it has made sure that the decision stands. 409 where something it needs has changed since.
 */
export async function provision(ctx: Context, decided: readonly DecidedAccess[]): Promise<AccessAssignment[]> {
  const made: AccessAssignment[] = [];
  for (const one of decided) made.push(await assign(ctx, one));
  return made;
}

async function assign(ctx: Context, decided: DecidedAccess): Promise<AccessAssignment> {
  if (!isBounded(decided)) throw new Error("access lasts for ever, for a time or until an end, and one of them only");
  const identity = await ctx.getOrThrow(accessIdentities, decided.identityId);
  const profile = await ctx.getOrThrow(accessProfiles, decided.accessProfileId);
  const resource = await ctx.getOrThrow(accessResources, decided.resourceId);
  const { connectorInstanceId, resourceType, externalId } = resource;
  const { principal } = identity;
  const { assetId, identityId, accessProfileId, resourceId } = decided;
  const wanted = { assetId, identityId, connectorInstanceId, principal, items: [{ accessProfileId, resourceId }] };
  requireNone(await blockersOf(ctx, wanted, "provision"));
  requireParameters(profile, decided.parameters);
  const grant = {
    connectorInstanceId,
    resource: { type: resourceType, externalId },
    profileExternalId: profile.externalId,
    principal,
    parameters: decided.parameters,
  };
  return ctx.insert(accessAssignments, {
    name: nameOf(`${profile.name} on ${resource.name}`),
    status: "pending",
    metadata: {},
    ...grant,
    ...{ requestId: decided.requestId, source: decided.source, assetId, identityId },
    ...{ resourceId, accessProfileId, grantKey: grantKeyOf(grant) },
    ...{ isPermanent: decided.isPermanent, duration: decided.duration, expiresAt: decided.expiresAt },
    notBefore: decided.notBefore ?? ctx.now,
    approvedHash: profile.definitionHash,
    privilegeLevel: profile.privilegeLevel,
    riskLevel: profile.riskLevel,
    ...UNSEEN,
  });
}

/** What nobody knows of access that was decided just now. */
const UNSEEN = {
  previousGrantKey: null,
  externalGrantId: null,
  targetState: "unknown",
  observedAt: null,
  observedBy: null,
  unseenSince: null,
  activatedAt: null,
  lastVerifiedAt: null,
  lastUsedAt: null,
  certifiedUntil: null,
  preExisting: false,
  sharedGrant: false,
  unverified: false,
  endReason: null,
  endedBy: null,
  endingSince: null,
  endedAt: null,
  residualAccess: null,
  attestation: null,
  noticed: null,
  unusedNotice: null,
  failure: null,
  editVersion: 1,
} as const;
