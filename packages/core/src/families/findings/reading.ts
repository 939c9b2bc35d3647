import { foldText } from "../../kernel/collection.js";
import type { Page } from "../../kernel/outcome.js";
import { cursorScope, type PageQuery, readWindow, recordPage } from "../../kernel/page.js";
import type { ReadContext } from "../../kernel/read-context.js";
import { timestamp } from "../../ports/clock.js";
import type { Row } from "../../store/row.js";
import type { Position, Reader, Where } from "../../store/store.js";
import { type Finding, findings, standingOf } from "./schema.js";
import { findingAt } from "./status.js";
import { isOpen } from "./vocabulary.js";

/** Findings looked at in one question. */
const BATCH = 1_000;

/** A finding as it is stored, and as it is at the moment. */
interface Turned {
  readonly stored: Finding;
  readonly seen: Finding;
}

/** Those findings of a filter that time has made something else of than what is stored, up to a batch from `after` on. */
async function turned(reader: Reader, where: Where, now: string, after?: Position) {
  const query = { where, order: { by: "turnsAt", direction: "asc" }, range: { before: justAfter(now) } } as const;
  const { rows, next } = await reader.find(findings, { ...query, size: BATCH, ...(after ? { after } : {}) });
  return { turned: rows.map(({ value }): Turned => ({ stored: value, seen: findingAt(value, now) })), next };
}

const justAfter = (now: string) => timestamp(Date.parse(now) + 1);

/** How many findings of an asset hold it back from production at a moment. */
export async function blockingFindings(reader: Reader, assetId: string, now: string): Promise<number> {
  let { count } = await reader.count(findings, { where: { assetId, blocking: true } });
  let after: Position | undefined;
  do {
    const found = await turned(reader, { assetId, gate: true }, now, after);
    for (const { stored, seen } of found.turned) count += Number(isOpen(seen.status)) - Number(isOpen(stored.status));
    after = found.next;
  } while (after);
  return count;
}

/** How many findings hold each value of a counted field at a moment: counters, and what time has done since. */
export async function tallyFindings(
  reader: Reader,
  field: "status" | "standing",
  now: string,
): Promise<Map<string, number>> {
  const counts = new Map(await reader.tally(findings, field));
  const read = field === "status" ? ({ status }: Finding) => status : standingOf;
  const add = (value: string, by: number) => counts.set(value, (counts.get(value) ?? 0) + by);
  let after: Position | undefined;
  do {
    const found = await turned(reader, {}, now, after);
    for (const { stored, seen } of found.turned) {
      add(read(stored), -1);
      add(read(seen), 1);
    }
    after = found.next;
  } while (after);
  return counts;
}

interface Filters {
  readonly where: Where;
  readonly search?: string;
}

/**
 * A page of findings as they are at this moment, by their status at this moment too: what is stored, without what time has
 * moved out of the filter and with what it has moved into it. Of the latter up to 1,000 are looked for; `tick` stores them.
 */
export async function pageFindings(ctx: ReadContext, query: PageQuery, filters: Filters): Promise<Page> {
  const { status, ...rest } = filters.where;
  if (status === undefined) return ctx.page(findings, query, filters);
  const due = await turned(ctx.db, {}, ctx.now);
  const moved = due.turned.filter(({ stored, seen }) => stored.status !== seen.status && fits(stored, rest, filters));
  if (moved.length === 0 && !due.next) return ctx.page(findings, query, filters);
  const gone = moved.filter(({ stored }) => stored.status === status);
  const come = moved.filter(({ seen }) => seen.status === status).map(({ seen }) => seen);

  const scope = cursorScope(ctx.db.tenantId, findings.name, filters);
  const window = readWindow(query, scope, ctx.env.secretBox, ctx.request.nowMs);
  const skipped = window.after ? 0 : window.page * window.size;
  const stored = await stillIn(ctx, filters, window.after, skipped + window.size + 1);
  const added = come.filter((finding) => !window.after || isPast(finding, window.after));
  const shown = [...stored, ...added].sort(newestFirst).slice(skipped, skipped + window.size + 1);
  const items = shown.slice(0, window.size);
  const last = items.at(-1);
  const total = await ctx.db.count(findings, filters);
  const listed = {
    items: JSON.stringify(items),
    count: items.length,
    staleAt: null,
    total: { count: total.count - gone.length + come.length, exact: total.exact && !due.next },
    ...(last && shown.length > items.length ? { next: { by: last.createdAt, id: last.id } } : {}),
  };
  return recordPage(listed, window, scope, ctx.env.secretBox, ctx.request.nowMs);
}

/** The first findings of a filter from `after` on that are in it at this moment too. */
async function stillIn(ctx: ReadContext, filters: Filters, start: Position | undefined, wanted: number) {
  const kept: Finding[] = [];
  let after = start;
  do {
    const position = after ? { after } : {};
    const { rows, next } = await ctx.db.find(findings, { ...filters, size: BATCH, ...position });
    kept.push(...rows.map((row) => at(row, ctx.now)).filter(({ status }) => status === filters.where.status));
    after = next;
  } while (after && kept.length < wanted);
  return kept;
}

function at({ value, staleAt }: Row<Finding>, now: string): Finding {
  return staleAt !== null && staleAt <= now ? findingAt(value, now) : value;
}

/** Whether a finding is in a filter, its status aside. */
function fits(finding: Finding, { severity, policyId, assetId }: Where, { search }: Filters): boolean {
  return (
    (severity === undefined || finding.effectiveSeverity === severity) &&
    (policyId === undefined || finding.policyId === policyId) &&
    (assetId === undefined || finding.assetId === assetId) &&
    (search === undefined || foldText(findings.search?.(finding) ?? "").includes(foldText(search)))
  );
}

const isPast = ({ createdAt, id }: Finding, { by, id: from }: Position) =>
  createdAt < String(by) || (createdAt === by && id < from);

function newestFirst(one: Finding, other: Finding): number {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1;
  return one.id > other.id ? -1 : 1;
}
