import { choice, pageOf, textOf } from "../../api/search.js";
import { CATEGORIES, EXEMPTION_STATES } from "./exemptions/terms.js";
import { SEVERITIES, STATUSES } from "./terms.js";

/** How many days the picture shows. */
export const RANGES = [30, 90, 365] as const;

/** The filters of the list, which stand in its address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, STATUSES),
  severity: choice(search.severity, SEVERITIES),
  late: choice(search.late, ["yes"]),
  baseline: choice(search.baseline, ["no", "yes"]),
  assetId: textOf(search.assetId),
  policyId: textOf(search.policyId),
  days: RANGES.find((days) => days === Number(search.days)),
});

export type FindingsSearch = ReturnType<typeof searchOf>;

/** The filters of the list of exemptions. */
export const exemptionsSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, EXEMPTION_STATES),
  category: choice(search.category, CATEGORIES),
  severity: choice(search.severity, SEVERITIES),
  policyId: textOf(search.policyId),
});

export type ExemptionsSearch = ReturnType<typeof exemptionsSearchOf>;

/** What an exemption is asked for: a finding, a policy, or the renewal of an earlier one. */
export const askSearchOf = (search: Record<string, unknown>) => ({
  findingId: textOf(search.findingId),
  policyId: textOf(search.policyId),
  renewalOf: textOf(search.renewalOf),
});
