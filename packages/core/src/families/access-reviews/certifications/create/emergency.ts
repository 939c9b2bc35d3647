import type { AccessAssignment } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import type { Certification } from "../schema.js";
import { termsFrom } from "./body.js";
import { createCertification } from "./create.js";

/** Emergency access that somebody else looks at afterwards. */
export interface EmergencyAccess {
  readonly assignments: readonly Pick<AccessAssignment, "id" | "name">[];
  readonly requestId: string | null;
  /** Id of the user who answers for the review; it may be its reviewer where nobody else is. */
  readonly ownerId: string;
  /** The role that reviews; `governance_officer` when absent. */
  readonly group?: string;
}

/**
 * Has a four-eyes approver review emergency access within 48 hours, also when it has ended by then. Call it in the
 * transaction that grants it.
 */
export function openEmergencyReview(
  ctx: Context,
  { assignments, requestId, ownerId, group = "governance_officer" }: EmergencyAccess,
): Promise<Certification> {
  const fields = termsFrom(ctx, {
    kind: "emergency_review",
    ownerId,
    scope: { assignmentIds: assignments.map(({ id }) => id) },
    stages: [{ reviewer: "group", group, duration: "PT48H" }],
  });
  const [first] = assignments;
  const name = nameOf(`Review of emergency access: ${first?.name ?? ""}`);
  return createCertification(ctx, fields, { name, metadata: {}, attributes: {}, requestId });
}
