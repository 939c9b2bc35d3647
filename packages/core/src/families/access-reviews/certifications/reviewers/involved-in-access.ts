import type { AccessAssignment } from "#families/access-grants/index.js";
import type { AccessFacts } from "../certification-facts.js";

/**
 * Ids and names of who may not review access: whoever it is for, whoever asked for it or a change of it, and
 * whoever approved one of these alone. Where nobody knows that, it is who stored it.
 */
export function involvedInAccess(
  { principal, createdBy }: Pick<AccessAssignment, "principal" | "createdBy">,
  { requestedBy, approvedBy }: AccessFacts,
): string[] {
  const holder = principal.type === "user" ? [principal.externalId, principal.displayName ?? ""] : [];
  const isKnown = (requestedBy ?? approvedBy) !== undefined;
  const alone = (approvedBy ?? []).flatMap((approvers) => (approvers.length === 1 ? approvers : []));
  const involved = [...holder, ...(requestedBy ?? []), ...alone, ...(isKnown ? [] : [createdBy])];
  return [...new Set(involved)].filter((id) => id !== "" && id !== "system");
}
