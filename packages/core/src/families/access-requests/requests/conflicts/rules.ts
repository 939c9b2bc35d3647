import type { ConflictRule } from "#families/access/index.js";
import { cutText } from "#kernel/records/cut-text.js";
import type { Conflict } from "../schema.js";
import { type Holding, isOnSide } from "./holdings.js";

/** A rule with the policy that it is of. */
export interface NamedRule {
  readonly name: string;
  readonly rule: ConflictRule;
}

/** The most conflicts that one request shows. */
const MOST = 50;

/** The rule that no target lets a principal break: one profile of a group on a resource. */
const EXCLUSION = "profiles/exclusion-group";

/**
 * What access conflicts with. `wanted` is what is asked for or reviewed, and each group everything that one asset can
 * reach. A conflict has wanted access on at least one side.
 */
export function conflictsAmong(
  rules: readonly NamedRule[],
  wanted: readonly Holding[],
  groups: ReadonlyMap<string, readonly Holding[]>,
): Conflict[] {
  const found: Conflict[] = excluded(wanted, groups);
  for (const { name, rule } of rules)
    for (const [assetId, others] of groups) {
      const text = hit(rule, wanted, others);
      if (text !== undefined)
        found.push({ rule: name, severity: rule.severity, onHit: rule.onHit, text: cutText(text, 1_000), assetId });
    }
  return found.slice(0, MOST);
}

const named = ({ profile, assetId }: Holding) => `"${profile.name}" of ${assetId}`;

function hit({ left, right, mode, description }: ConflictRule, wanted: readonly Holding[], others: readonly Holding[]) {
  const all = [...wanted, ...others];
  const onLeft = (one: Holding) => isOnSide(left, one.profile);
  const onRight = (one: Holding) => isOnSide(right, one.profile);
  if (mode === "is_not_in") {
    const lonely = wanted.find(onLeft);
    return lonely && !all.some(onRight) ? `${description} ${named(lonely)} lacks what it takes.` : undefined;
  }
  for (const one of wanted) {
    const other = all.find(
      (each) => each !== one && ((onLeft(one) && onRight(each)) || (onRight(one) && onLeft(each))),
    );
    if (other) return `${description} ${named(one)} and ${named(other)}.`;
    if (onLeft(one) && onRight(one)) return `${description} ${named(one)} alone is both.`;
  }
  return undefined;
}

function excluded(wanted: readonly Holding[], groups: ReadonlyMap<string, readonly Holding[]>): Conflict[] {
  const all = [...wanted, ...[...groups.values()].flat()];
  for (const one of wanted) {
    const { exclusionGroup } = one.profile;
    const other = all.find(
      (each) =>
        exclusionGroup !== null &&
        each.profile.exclusionGroup === exclusionGroup &&
        each.profile.id !== one.profile.id &&
        each.principal === one.principal &&
        each.resourceId === one.resourceId,
    );
    if (!other) continue;
    const text = `The target lets a principal have one of these only: ${named(one)} and ${named(other)}.`;
    return [{ rule: EXCLUSION, severity: "medium", onHit: "deny", text, assetId: one.assetId }];
  }
  return [];
}
