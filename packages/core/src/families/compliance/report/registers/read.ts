import { flaggedDecisions } from "#families/accountability/index.js";
import { halts } from "#families/estate/index.js";
import { countFindingsBy, FINDING_STATUSES, findings, isOpen, ordinalOf } from "#families/findings/index.js";
import { exemptions, policies } from "#families/governance/index.js";
import { everyRow } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { dueRecords } from "#kernel/operation/seen-records.js";
import { asOf } from "#kernel/records/as-of.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import type { FindQuery } from "#store/find-query.js";
import { compliance } from "../../records/schema.js";
import type { Report } from "../schema.js";
import { assetNames, namesOf } from "./people.js";
import { type GuardedRegister, MOST_ROWS, READ_BY, type registers } from "./schema.js";
import { statementOf } from "./statement.js";

type Registers = Pick<Report, keyof typeof registers>;

/** Reads the registers of a report, each in a fixed order and bounded. What the caller may not read is withheld. */
export async function readRegisters(ctx: ReadContext): Promise<Registers> {
  const withheld = (Object.keys(READ_BY) as GuardedRegister[]).filter(
    (name) => !ctx.principal.permissions.has(READ_BY[name]),
  );
  const shows = (name: GuardedRegister) => !withheld.includes(name);
  const assessments = await first(ctx, compliance);
  const held = shows("exemptions") ? await first(ctx, exemptions) : [];
  const flagged = shows("flaggedDecisions") ? await first(ctx, flaggedDecisions) : [];
  const stops = shows("halts") ? await first(ctx, halts) : [];
  const gravest = { by: "gravity", direction: "desc" } as const;
  const open = !shows("findings")
    ? []
    : (await Promise.all(OPEN.map((status) => first(ctx, findings, { where: { status }, order: gravest })))).flat();
  const due = await dueRecords(ctx.db, findings, { by: "nextChangeAt" }, ctx.now);
  const turned = shows("findings") ? due.turned : [];
  const reopened = turned.filter(({ stored }) => !isOpen(stored.status)).map(({ seen }) => seen);
  const byStatus = await countFindingsBy(ctx.db, "status", ctx.now);
  const openInAll = OPEN.reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0);
  const shown = [...open, ...reopened]
    .filter(({ status }) => isOpen(status))
    .sort((one, other) => ordinalOf(other.effectiveSeverity) - ordinalOf(one.effectiveSeverity) || byId(one, other))
    .slice(0, MOST_ROWS);
  const rules = shows("policies") ? (await everyRow(ctx.db, policies, {})).map((row) => row.value) : [];
  return {
    assessments: assessments.sort(
      (one, other) => order(one.framework, other.framework) || order(one.name, other.name) || byId(one, other),
    ),
    findings: shown,
    exemptions: held.sort((one, other) => order(other.expiresAt, one.expiresAt) || byId(one, other)),
    policies: rules
      .map(({ key, name, status, revision, digest, updatedAt, updatedBy }) => ({
        ...{ key, name, status, revision, digest, updatedAt, updatedBy },
      }))
      .sort((one, other) => order(one.key, other.key)),
    flaggedDecisions: flagged,
    halts: stops,
    statement: await statementOf(ctx),
    people: shows("people")
      ? await namesOf(ctx, { assessments, exemptions: held, policies: rules, flagged, halts: stops })
      : {},
    assets: await assetNames(ctx, [
      ...assessments.map(({ assetId }) => assetId),
      ...held.map(({ onAssetId }) => onAssetId),
      ...stops.map(({ target }) => target),
    ]),
    withheld,
    omitted: {
      assessments: (await ctx.db.count(compliance)).count - assessments.length,
      findings: Math.max(0, openInAll - shown.length),
      exemptions: (await ctx.db.count(exemptions)).count - held.length,
      flaggedDecisions: (await ctx.db.count(flaggedDecisions)).count - flagged.length,
      halts: (await ctx.db.count(halts)).count - stops.length,
    },
  };
}

const OPEN = FINDING_STATUSES.filter(isOpen);
const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const byId = (one: { readonly id: string }, other: { readonly id: string }) => order(one.id, other.id);

/** The first records of a query as they are now, by default the newest, and as many as a register holds. */
async function first<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  query: Pick<FindQuery, "where" | "order"> = {},
): Promise<R[]> {
  const { rows } = await ctx.db.find(collection, { ...query, size: MOST_ROWS });
  return rows.map((row) => asOf(collection, row, ctx.now));
}
