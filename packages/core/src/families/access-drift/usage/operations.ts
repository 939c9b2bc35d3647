import { createHash } from "node:crypto";
import { OfAsset, reading, tag } from "#families/access/index.js";
import { accessAssignments } from "#families/access-grants/index.js";
import { assets } from "#families/estate/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery, sortBy } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { Raw } from "#kernel/records/outcome.js";
import { EndTime, StartTime, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { exportUses, FORMATS, type Format } from "./export-usage.js";
import { MOST_DAYS, UNKNOWN_REASONS, USAGE_DAYS, USAGE_STATES, usageStateOf } from "./rules.js";
import { AccessUse, accessUses } from "./schema.js";
import { sumUses } from "./tally-usage.js";
import { coverageOf, NOTHING_KNOWN, shownCoverage, UsageCoverage } from "./usage-coverage.js";

const OF_ASSET = "/api/v1/ai-assets/{assetId}/access-usage";
/** Uses shown with an assignment. */
const LAST = 20;

/** How many days back. */
export const Days = (most: number, usual: number) =>
  z
    .int()
    .min(1)
    .max(most)
    .optional()
    .meta({ description: `How many days back, 1 to ${most}; ${usual} when absent.`, example: usual });

const count = z.int().min(0);
const Counts = z.array(
  z.object({
    key: z.string().meta({ description: "What is counted." }),
    count: count.meta({ description: "Number of uses." }),
  }),
);

const Sums = {
  days: z.int().meta({ description: "How many days back." }),
  total: count.meta({ description: "Uses of these days." }),
  byOutcome: Counts.meta({ description: "By what came of them." }),
  byAction: Counts.meta({ description: "By what was done: the 50 that came first by name, and `(other)`." }),
  byDay: z
    .array(
      z.object({
        day: z.string().meta({ description: "The day, in UTC." }),
        count: count.meta({ description: "Number of uses." }),
      }),
    )
    .meta({ description: "Days with uses, oldest first." }),
};

const AssignmentUsage = z
  .object({
    assignmentId: z.string().meta({ description: "Id of the access assignment." }),
    usageState: z.enum(USAGE_STATES).meta({ description: "Whether it was used, as far as anybody can tell." }),
    unknownBecause: z.array(z.enum(UNKNOWN_REASONS)).meta({ description: "Why nobody can tell." }),
    lastUsedAt: Time.nullable().meta({ description: "When it was last used." }),
    ...Sums,
    last: z.array(AccessUse).meta({ description: `The last ${LAST} uses.` }),
    coverage: UsageCoverage.meta({ description: "What is known of use in the target." }),
  })
  .meta({ id: "AccessAssignmentUsage" });

export const readAssignmentUsage = defineOperation({
  ...reading,
  tag,
  id: "accessAssignments.usage",
  path: "/api/v1/access-assignments/{id}/usage",
  summary: "See whether an assignment is used, and what by",
  description: "Access whose use nobody sees is `unknown`, and not `unused`.",
  params: ById,
  query: z.strictObject({ days: Days(MOST_DAYS, USAGE_DAYS) }),
  success: { status: 200, schema: AssignmentUsage },
  async handler(ctx, { params, query: { days = USAGE_DAYS } }) {
    const one = await ctx.getOrThrow(accessAssignments, params.id);
    const { connectorInstanceId, lastUsedAt } = one;
    const window = { nowMs: ctx.request.nowMs, days };
    const [coverage, sums, found] = await Promise.all([
      coverageOf(ctx, [connectorInstanceId]).then((all) => all.get(connectorInstanceId) ?? NOTHING_KNOWN),
      sumUses(ctx, one.id, days),
      ctx.db.find(accessUses, { where: { assignmentId: one.id }, order: { by: "at" }, size: LAST }),
    ]);
    const { usageState, unknownBecause } = usageStateOf(one, coverage, window);
    const { total, byOutcome, byAction, byDay } = sums;
    return {
      ...{ assignmentId: one.id, usageState, unknownBecause: [...unknownBecause], lastUsedAt, days },
      ...{ total, byOutcome: [...byOutcome], byAction: [...byAction], byDay: [...byDay] },
      last: found.rows.map((row) => ctx.derived(accessUses, row)),
      coverage: shownCoverage(connectorInstanceId, coverage, window),
    };
  },
});

export const listAssetUses = defineOperation({
  ...reading,
  tag,
  id: "accessUsage.list",
  path: OF_ASSET,
  summary: "List what an AI asset has used its access for",
  description: "The latest first, by when it was.",
  params: OfAsset,
  query: listQuery(accessUses, undefined, { sort: sortBy(["at"], "the latest first") }),
  success: { status: 200, schema: pageOf(AccessUse) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(assets, params.assetId);
    return ctx.page(accessUses, { sort: ["-at"], ...query } as typeof query, { where: { listedFor: id } });
  },
});

const UsageSummary = z
  .object({
    assetId: z.string().meta({ description: "Id of the asset." }),
    lastUsedAt: Time.nullable().meta({ description: "When it last used access in these days." }),
    ...Sums,
  })
  .meta({ id: "AccessUsageSummary" });

export const summarizeAssetUses = defineOperation({
  ...reading,
  tag,
  id: "accessUsage.summary",
  path: `${OF_ASSET}/summary`,
  summary: "Count what an AI asset has used its access for",
  params: OfAsset,
  query: z.strictObject({ days: Days(MOST_DAYS, USAGE_DAYS) }),
  success: { status: 200, schema: UsageSummary },
  async handler(ctx, { params, query: { days = USAGE_DAYS } }) {
    const { id: assetId } = await ctx.getOrThrow(assets, params.assetId);
    const { total, byOutcome, byAction, byDay, lastUsedAt } = await sumUses(ctx, assetId, days);
    const sums = { total, byOutcome: [...byOutcome], byAction: [...byAction], byDay: [...byDay] };
    return { assetId, lastUsedAt, days, ...sums };
  },
});

export const exportAssetUses = defineOperation({
  method: "GET",
  tag,
  id: "accessUsage.export",
  path: `${OF_ASSET}/export`,
  summary: "Export what an AI asset has used its access for, with a content hash",
  description:
    "Oldest first, up to 10,000 uses or about 8 MiB. The last line is the trailer with the hash of all bytes before it: go on with its `next` as `cursor` until `complete`. The export stands in the chain of events.",
  access: { permission: "access-usage:export", capability: "access_governance" },
  params: OfAsset,
  query: z.strictObject({
    format: z
      .enum(Object.keys(FORMATS) as [Format, ...Format[]])
      .optional()
      .meta({ description: "`csv` when absent. No cell of it is taken for a formula." }),
    from: StartTime.optional().meta({ description: "From then on." }),
    to: EndTime.optional().meta({ description: "Only uses before this time." }),
    cursor: z.string().max(4_096).optional().meta({ description: "`next` of the part before." }),
  }),
  effect: "own",
  proof: "record",
  expensive: true,
  success: { status: 200, media: "text/csv; charset=utf-8", schema: z.string(), also: FORMATS.ndjson },
  async handler(ctx, { params, query: { format = "csv", ...rest } }) {
    const { id } = await ctx.getOrThrow(assets, params.assetId);
    const { body, sha256, rows, next } = await exportUses(ctx, id, { format, ...rest });
    const { from = null, to = null } = rest;
    await ctx.write((inner) =>
      inner.emit({
        type: "access.usage.exported",
        subject: subjectOf(assets, id),
        data: { format, rows, from, to, sha256, complete: next === null },
      }),
    );
    const digest = createHash("sha256").update(body).digest("base64");
    return new Raw(body, FORMATS[format], {
      headers: {
        "content-digest": `sha-256=:${digest}:`,
        "content-disposition": `attachment; filename="access-usage.${format}"`,
      },
    });
  },
});
