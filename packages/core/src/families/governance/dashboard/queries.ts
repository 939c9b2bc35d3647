import {
  countFindingsBy,
  type Finding,
  type FindingCell,
  findingCells,
  findings,
  isOpen,
} from "#families/findings/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Where } from "#store/find-query.js";
import { SIZE_LIMIT } from "#store/query.js";
import type { DashboardSummary } from "./schema.js";

type FindingNumbers = DashboardSummary["findings"];

/** The most pages read for one filter, because pages are short when no index covers it. */
const MOST_PAGES = 10;

/** Counts of all findings as of now: the counters, corrected by what time has changed since. */
export async function allFindings(ctx: ReadContext): Promise<FindingNumbers> {
  const read = (field: "stale" | "slaBreached") => countFindingsBy(ctx.db, field, ctx.now);
  const [cells, stale, late] = await Promise.all([findingCells(ctx), read("stale"), read("slaBreached")]);
  return { ...summed(cells), exact: true, stale: stale.get("true") ?? 0, overdue: late.get("true") ?? 0 };
}

/** The same counts for the newest 1,000 findings that match a filter, within a bounded number of pages. */
export async function filteredFindings(ctx: ReadContext, where: Where): Promise<FindingNumbers> {
  const { status, ...stored } = where;
  let found = await ctx.db.find(findings, { where: stored, size: SIZE_LIMIT });
  const rows = [...found.rows];
  for (let pages = 1; found.next && rows.length < SIZE_LIMIT && pages < MOST_PAGES; pages += 1) {
    found = await ctx.db.find(findings, { where: stored, size: SIZE_LIMIT - rows.length, after: found.next });
    rows.push(...found.rows);
  }
  const seen = rows
    .map((row) => ctx.derived(findings, row))
    .filter((each) => status === undefined || each.status === status);
  const cells = seen.map(({ status: of, effectiveSeverity: severity, baseline }) => ({
    ...{ status: of, severity, baseline, count: 1 },
  }));
  return {
    ...summed(cells),
    exact: found.next === undefined,
    stale: seen.filter(({ stale }) => stale).length,
    overdue: seen.filter(({ slaBreached }) => slaBreached).length,
  };
}

function summed(cells: readonly FindingCell[]): Omit<FindingNumbers, "exact" | "stale" | "overdue"> {
  const [byStatus, bySeverity, matrix]: [Record<string, number>, Record<string, number>, FindingNumbers["matrix"]] = [
    {},
    {},
    {},
  ];
  let [total, ofBaseline] = [0, 0];
  for (const { status, severity, baseline, count } of cells) {
    if (count === 0) continue;
    total += count;
    if (baseline) ofBaseline += count;
    byStatus[status] = (byStatus[status] ?? 0) + count;
    bySeverity[severity] = (bySeverity[severity] ?? 0) + count;
    const row = matrix[status] ?? {};
    matrix[status] = { ...row, [severity]: (row[severity] ?? 0) + count };
  }
  return { total, byStatus, bySeverity, matrix, baseline: ofBaseline };
}

/** The policies with the most open findings, in descending order. */
export async function topPolicies(ctx: ReadContext, most: number): Promise<DashboardSummary["topPolicies"]> {
  const open = new Map<string, number>();
  for (const [standing, count] of await countFindingsBy(ctx.db, "standing", ctx.now)) {
    const [rule = "", status] = standing.split(":");
    const policyKey = rule.slice(0, rule.lastIndexOf("/"));
    if (isOpen(status as Finding["status"])) open.set(policyKey, (open.get(policyKey) ?? 0) + count);
  }
  return [...open]
    .filter(([, count]) => count > 0)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, most)
    .map(([policyKey, count]) => ({ policyKey, open: count }));
}
