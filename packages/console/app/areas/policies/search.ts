import { useSearch } from "@tanstack/react-router";
import { choice, pageOf, textOf } from "../../api/search.js";
import { versionsSearchOf } from "../../ui/versions/search.js";
import { ASSET_TYPES, BACK_TEST_DAYS, KINDS, POLICY_TABS, SEVERITIES, STATUSES } from "./terms.js";

/** The filters of the list, which stand in its address. */
export const policiesSearchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  q: textOf(search.q),
  status: choice(search.status, STATUSES),
  kind: choice(search.kind, KINDS),
  severity: choice(search.severity, SEVERITIES),
  type: choice(search.type, ASSET_TYPES),
  unmatched: choice(search.unmatched, ["yes"]),
});

export type PoliciesSearch = ReturnType<typeof policiesSearchOf>;

/** What a policy's page shows: its part, how far its back-test goes, and the versions that are compared. */
export const policySearchOf = (search: Record<string, unknown>) => ({
  tab: choice(search.tab, POLICY_TABS),
  days: BACK_TEST_DAYS.find((days) => days === Number(search.days)),
  ...versionsSearchOf(search),
});

export type PolicySearch = ReturnType<typeof policySearchOf>;

export const usePolicySearch = (): PolicySearch => useSearch({ strict: false });
