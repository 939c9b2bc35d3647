import { withoutNothing } from "#families/access/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { AccessDrift, Difference, DriftKind, RepairAction } from "./schema.js";

/** What of access can be compared with what a target has. Absent is not told. */
export interface Comparable {
  readonly permissions?: readonly string[] | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly profileExternalId?: string | undefined;
  readonly privilegeLevel?: number | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly principalType?: string | undefined;
}

const same = (one: unknown, other: unknown) => canonical(withoutNothing(one)) === canonical(withoutNothing(other));
const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();

/** What differs between what was granted and what a target has. What it does not tell is not compared. */
export function differencesOf(desired: Comparable, observed: Comparable): Difference[] {
  const names = ["permissions", "parameters", "profileExternalId", "expiresAt", "principalType"] as const;
  return names.flatMap((field) => {
    if (desired[field] === undefined || observed[field] === undefined) return [];
    const isSet = field === "permissions";
    const [one, other] = isSet
      ? [sorted(desired.permissions ?? []), sorted(observed.permissions ?? [])]
      : [desired[field], observed[field]];
    return same(one, other) ? [] : [{ field, desired: one, observed: other }];
  });
}

/** The kind of a difference. What nobody can order by how much it permits counts as too much. */
export function kindOf(differences: readonly Difference[], desired: Comparable, observed: Comparable): DriftKind {
  const differs = (field: string) => differences.some((one) => one.field === field);
  if (differs("principalType")) return "principal_changed";
  if (differs("profileExternalId")) return permitsLess(desired, observed) ? "under_privileged" : "over_privileged";
  if (differs("permissions")) {
    const granted = new Set(desired.permissions);
    return (observed.permissions ?? []).every((one) => granted.has(one)) ? "under_privileged" : "over_privileged";
  }
  return differs("parameters") ? "over_privileged" : "expiry_mismatch";
}

const permitsLess = (desired: Comparable, observed: Comparable) =>
  (observed.privilegeLevel ?? Number.POSITIVE_INFINITY) < (desired.privilegeLevel ?? 0);

const ADMINISTRATION = 4;

/** How much harm a difference can do. */
export function severityOf(kind: DriftKind, privilegeLevel: number | null): AccessDrift["severity"] {
  if (kind === "unmanaged_in_target") return (privilegeLevel ?? ADMINISTRATION) >= ADMINISTRATION ? "critical" : "high";
  return SEVERITY[kind];
}

const SEVERITY: Readonly<Record<DriftKind, AccessDrift["severity"]>> = {
  missing_in_target: "high",
  unmanaged_in_target: "high",
  over_privileged: "high",
  under_privileged: "low",
  ended_still_present: "critical",
  expiry_mismatch: "medium",
  principal_changed: "high",
  resource_missing: "medium",
  definition_changed: "high",
  owner_missing: "medium",
  unknown_credential: "critical",
};

/** What can be done about each kind, the usual first, and what to do in words. Several mean that somebody chooses. */
export const REMEDIES: Readonly<
  Record<DriftKind, { readonly repairs: readonly RepairAction[]; readonly advice: string }>
> = {
  missing_in_target: {
    repairs: ["grant", "end"],
    advice: "Somebody may have cut it on purpose: grant it again, or end it here.",
  },
  unmanaged_in_target: {
    repairs: ["revoke", "adopt"],
    advice: "Revoke it in the target, or adopt it by a request as for any other access.",
  },
  over_privileged: { repairs: ["reapply"], advice: "Have the target grant what was approved, and no more." },
  under_privileged: { repairs: ["reapply"], advice: "Have the target grant what was approved." },
  ended_still_present: { repairs: ["revoke"], advice: "Revoke it in the target again." },
  expiry_mismatch: { repairs: ["renew", "end"], advice: "Have the target set the end that was granted, or end it." },
  principal_changed: { repairs: ["end"], advice: "End it, and request it for the principal as it is now." },
  resource_missing: { repairs: ["end"], advice: "End it: there is nothing left to have access to." },
  definition_changed: {
    repairs: ["certify", "end"],
    advice: "Look at the access profile and approve it again; then have the access certified, or end it.",
  },
  owner_missing: {
    repairs: ["certify", "end"],
    advice:
      "Name somebody who answers for the asset. Until then have the owners of the target certify the access, or end it.",
  },
  unknown_credential: {
    repairs: [],
    advice: "Find out who made it and what for. End it in the target, or let it be if it belongs there.",
  },
};

/** Repairs that make something for people to decide, and change nothing in the target. */
export const FOLLOW_UPS: ReadonlySet<string> = new Set<RepairAction>(["adopt", "certify"]);

/** What can be done about a difference. Only what is known here in full can be adopted. */
export function repairsFor({
  kind,
  immutable,
  assetId,
  resourceId,
  accessProfileId,
}: Pick<AccessDrift, "kind" | "immutable" | "assetId" | "resourceId" | "accessProfileId">): RepairAction[] {
  const isKnown = assetId !== null && resourceId !== null && accessProfileId !== null;
  const possible = REMEDIES[kind].repairs.filter((one) => one !== "adopt" || isKnown);
  return immutable ? possible.filter((one) => FOLLOW_UPS.has(one)) : possible;
}

const HEALS: Readonly<Partial<Record<DriftKind, readonly string[]>>> = {
  missing_in_target: ["present"],
  over_privileged: ["present"],
  under_privileged: ["present"],
  ended_still_present: ["absent"],
  unmanaged_in_target: ["absent"],
};

/** Kinds about which the target itself can be asked, grant by grant. */
export const isAskable = (kind: DriftKind): boolean => kind in HEALS;

/** Whether what a target answers contradicts a difference. */
export const contradicts = (kind: DriftKind, presence: string): boolean => HEALS[kind]?.includes(presence) ?? false;
