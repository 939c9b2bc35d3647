import type { AccessProfile } from "#families/access/index.js";
import { type AccessAssignment, unknownOf } from "#families/access-grants/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import { type AccessFacts, usageOf } from "./certification-facts.js";
import type { AccessSnapshot, CertificationItem } from "./items/schema.js";

const PERMISSIONS = 50;

/** Hash of what a reviewer decides about. What is only seen of it, such as its use, is no part. */
export function scopeHashOf({
  grantKey,
  identityId,
  accessProfileId,
  approvedHash,
  privilegeLevel,
  riskLevel,
  notBefore,
  expiresAt,
  isPermanent,
}: AccessAssignment): string {
  const scope = [grantKey, identityId, accessProfileId, approvedHash, privilegeLevel, riskLevel];
  return sha256(canonical([...scope, notBefore, expiresAt, isPermanent]));
}

/** Access as it is now. */
export function snapshotOf(
  one: AccessAssignment,
  profile: AccessProfile | undefined,
  facts: AccessFacts,
  now: string,
): AccessSnapshot {
  const { editVersion, accessProfileId, parameters, grantKey, privilegeLevel, riskLevel, expiresAt, isPermanent } = one;
  const { lastUsedAt, targetState, observedAt } = one;
  return {
    ...{ version: editVersion, takenAt: now, scopeHash: scopeHashOf(one), accessProfileId },
    profileName: profile?.name ?? one.profileExternalId,
    permissions: (profile?.permissions ?? []).slice(0, PERMISSIONS),
    definitionHash: profile?.definitionHash ?? null,
    ...{ parameters, grantKey, privilegeLevel, riskLevel, expiresAt, isPermanent },
    usageState: usageOf(one, facts),
    ...{ lastUsedAt, targetState, observedAt, unknown: unknownOf(one) },
    openDrift: facts.openDrift ?? null,
    conflicts: facts.conflicts ? [...facts.conflicts] : null,
  };
}

/** What somebody who has decided before wants to know. */
const COMPARED = [
  ...["profileName", "permissions", "definitionHash", "parameters", "privilegeLevel", "riskLevel", "expiresAt"],
  ...["isPermanent", "usageState", "targetState", "openDrift", "conflicts"],
] as const;

/** What differs between two looks at the same access. */
export function changesBetween(before: AccessSnapshot, after: AccessSnapshot): CertificationItem["changes"] {
  const [old, now] = [before, after] as unknown as [Record<string, unknown>, Record<string, unknown>];
  return COMPARED.filter((field) => canonical(old[field]) !== canonical(now[field])).map((field) => ({
    field,
    before: old[field],
    after: now[field],
  }));
}

const LEAST_USED_RISK: ReadonlySet<string> = new Set(["low", "medium"]);

/** What the facts of access speak for. */
export function recommendationFor(
  { usageState, conflicts, openDrift, riskLevel, targetState }: AccessSnapshot,
  changes: CertificationItem["changes"],
  profileStatus: string | undefined,
): CertificationItem["recommendation"] {
  const against: string[] = [];
  if (usageState === "unused") against.push("It is not used.");
  if (conflicts !== null && conflicts.length > 0) against.push("It conflicts with other access.");
  if (profileStatus !== "approved") against.push(`Its access profile is ${profileStatus ?? "gone"}.`);
  if (against.length > 0) return { value: "revoke", why: against };
  const isCalm = usageState === "used" && LEAST_USED_RISK.has(riskLevel) && targetState === "present";
  if (!isCalm || (openDrift ?? 0) > 0 || changes.length > 0) return { value: "none", why: [] };
  return { value: "certify", why: ["It is used.", "It is of little risk.", "The target has it as it was granted."] };
}
