import { isSame } from "#kernel/records/is-same.js";
import { BOUNDED, type Bounded, type TenantSettingValues } from "../tenants/fields.js";

type Own = Partial<TenantSettingValues>;
/** The values of the provider for the same settings. */
type Provider = Pick<TenantSettingValues, Bounded>;

/** The values in force of bounded settings: the tenant's own, never looser than the provider's. */
export function bounded(own: Own, provider: Provider): Pick<TenantSettingValues, Bounded> {
  const least = (value: number | undefined, most: number) => Math.min(value ?? most, most);
  return {
    slaDays: daysWithin(own.slaDays, provider.slaDays),
    loggedFields: own.loggedFields ?? provider.loggedFields,
    decisionDefault: provider.decisionDefault === "deny" ? "deny" : (own.decisionDefault ?? "allow"),
    approvalMinutes: least(own.approvalMinutes, provider.approvalMinutes),
    evaluationDays: least(own.evaluationDays, provider.evaluationDays),
    secondFactor: provider.secondFactor === "required" ? "required" : (own.secondFactor ?? "optional"),
    stepUpMinutes: within(own.stepUpMinutes ?? null, provider.stepUpMinutes),
  };
}

/** The lower of two limits, of which `null` is none. */
const within = (own: number | null, limit: number | null) =>
  own === null || limit === null ? (own ?? limit) : Math.min(own, limit);

type SlaDays = TenantSettingValues["slaDays"];

/** `null` is no due date, and looser than any number of days. */
function daysWithin(own: SlaDays | undefined, most: SlaDays): SlaDays {
  if (!own) return most;
  return {
    critical: within(own.critical, most.critical),
    high: within(own.high, most.high),
    medium: within(own.medium, most.medium),
    low: within(own.low, most.low),
    info: within(own.info, most.info),
  };
}

/** The names of the settings that are looser than the provider allows. */
export function looserThan(own: Own, provider: Provider): Bounded[] {
  const inForce = bounded(own, provider);
  return (Object.keys(BOUNDED) as Bounded[]).filter(
    (name) => own[name] !== undefined && !isSame(own[name], inForce[name]),
  );
}
