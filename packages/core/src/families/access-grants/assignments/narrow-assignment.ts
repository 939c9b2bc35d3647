import { type AccessProfile, RISK_LEVELS } from "#families/access/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { AccessAssignment } from "./schema.js";

type Parameters = AccessAssignment["parameters"];
type Power = Pick<AccessProfile, "permissions" | "toolNames" | "privilegeLevel" | "riskLevel">;

const isWithin = (some: readonly string[], all: readonly string[]) => some.every((one) => all.includes(one));

/** Whether a profile permits nothing beyond another one, and is of no greater risk. */
export const permitsNoMore = (one: Power, than: Power): boolean =>
  one.privilegeLevel <= than.privilegeLevel &&
  RISK_LEVELS.indexOf(one.riskLevel) <= RISK_LEVELS.indexOf(than.riskLevel) &&
  isWithin(one.permissions, than.permissions) &&
  isWithin(one.toolNames, than.toolNames);

/** Whether parameters differ only in lists that have become shorter. What any other change means nobody can tell. */
export function narrowsParameters(after: Parameters, before: Parameters): boolean {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].every((name) => {
    const [one, other] = [after[name], before[name]];
    if (Array.isArray(one) && Array.isArray(other) && one.length > 0) {
      const known = new Set(other.map((entry) => canonical(entry)));
      return one.every((entry) => known.has(canonical(entry)));
    }
    return one !== undefined && other !== undefined && canonical(one) === canonical(other);
  });
}

/** Whether access that ends at one time ends no later than at another. `null` never ends. */
export const endsNoLater = (after: string | null, before: string | null): boolean =>
  before === null || (after !== null && after <= before);
