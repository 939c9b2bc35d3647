import { choice, pageOf, textOf } from "../../api/search.js";
import { SEVERITIES, STATUSES } from "./terms.js";

/** The filters of the list, which stand in its address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  status: choice(search.status, STATUSES),
  severity: choice(search.severity, SEVERITIES),
  late: choice(search.late, ["yes"]),
  baseline: choice(search.baseline, ["no", "yes"]),
  assetId: textOf(search.assetId),
  policyId: textOf(search.policyId),
});

export type FindingsSearch = ReturnType<typeof searchOf>;
