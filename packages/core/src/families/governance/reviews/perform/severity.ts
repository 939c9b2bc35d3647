import { dueOf, type Finding, ordinalOf, raisedBy, type Severity, slaDaysOf } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { Effect } from "./effect.js";
import { lowerSeverity, requireAnother } from "./second.js";

const engineSeverity = ({ severity, raised }: Finding) => raisedBy(severity, raised);

/**
 * Puts another severity in place of what evaluations say, or with `null` takes that back. What is lower than evaluations
 * say, or lower than what counts now, takes two people who say the same. A due date that has passed stays.
 */
export async function overrideSeverity(
  ctx: Context,
  finding: Finding,
  value: Severity | null,
  reason: string,
): Promise<Effect> {
  const { severityRequest: asked, severityOverride: present } = finding;
  const detected = engineSeverity(finding);
  const target = value ?? detected;
  const wish = { value: target, by: ctx.principal.userId, reason, at: ctx.now };
  const isBelow = (other: Severity) => ordinalOf(target) < ordinalOf(other);
  const lowers = target !== present?.value && (isBelow(detected) || isBelow(finding.effectiveSeverity));
  if (lowers) {
    if (asked?.value !== target) return { patch: { severityRequest: wish }, outcome: "awaiting_four_eyes" };
    await requireAnother(ctx, finding, lowerSeverity, asked.by);
  }
  const openedAt = finding.episodes.at(-1)?.openedAt ?? finding.firstSeenAt;
  const dueAt = dueOf(openedAt, target, await slaDaysOf(ctx));
  const late = finding.slaBreachedAt !== null;
  const patch = { severityOverride: value && wish, severityRequest: null, ...(late ? {} : { dueAt }) };
  return { patch, outcome: "done" };
}
