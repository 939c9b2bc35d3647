import type { Context } from "../../../../kernel/operation/context.js";
import { dueOf, type Finding, ordinalOf, raisedBy, type Severity, slaDaysOf } from "../../../findings/index.js";
import type { Effect } from "./effect.js";
import { lowerSeverity, requireAnother } from "./second.js";

const engineSeverity = ({ severity, raised }: Finding) => raisedBy(severity, raised);

/**
 * Puts another severity in place of what evaluations say. A lower one takes two people who say the same. A due date
 * that has passed stays.
 */
export async function overrideSeverity(
  ctx: Context,
  finding: Finding,
  value: Severity | null,
  reason: string,
): Promise<Effect> {
  const { severityRequest: asked, severityOverride: present } = finding;
  const wish = value && { value, by: ctx.principal.userId, reason, at: ctx.now };
  const lowers = value !== null && ordinalOf(value) < ordinalOf(engineSeverity(finding)) && present?.value !== value;
  if (lowers) {
    if (asked?.value !== value) return { patch: { severityRequest: wish }, outcome: "awaiting_second_person" };
    await requireAnother(ctx, finding, lowerSeverity, asked.by);
  }
  const openedAt = finding.episodes.at(-1)?.openedAt ?? finding.firstSeenAt;
  const dueAt = dueOf(openedAt, value ?? engineSeverity(finding), await slaDaysOf(ctx));
  const late = finding.slaBreachedAt !== null;
  const patch = { severityOverride: wish, severityRequest: null, ...(late ? {} : { dueAt }) };
  return { patch, outcome: "done" };
}
