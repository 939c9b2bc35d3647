import { OfAsset, reading, tag } from "#families/access/index.js";
import { Days, MOST_DAYS, USAGE_DAYS } from "#families/access-drift/index.js";
import { accessAssignments } from "#families/access-grants/index.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { AccessDashboard } from "./dashboard-schema.js";
import { expiringAccess, unusedAccess } from "./lists/lists.js";
import { ExpiringAccess, listing, UnusedAccess } from "./lists/schema.js";
import { NamedAssignment, namedView } from "./name-assignments.js";
import { accessDashboard } from "./read-dashboard.js";
import { AccessSummary, accessSummary } from "./summarize-access.js";

const EXPIRING_DAYS = 7;

export const listAllAssignments = defineOperation({
  ...reading,
  tag,
  id: "accessAssignments.listAll",
  path: "/api/v1/access-assignments",
  summary: "List the access of all AI assets, past and present",
  extension: true,
  query: listQuery(accessAssignments),
  success: { status: 200, schema: pageOf(NamedAssignment) },
  handler: (ctx, { query }) => ctx.page(accessAssignments, query, {}, namedView(ctx)),
});

export const listExpiring = defineOperation({
  ...reading,
  tag,
  id: "accessLifecycle.expiring",
  path: "/api/v1/access-expiring",
  summary: "List access in force that ends soon",
  query: z.strictObject({
    days: z
      .int()
      .min(1)
      .max(MOST_DAYS)
      .optional()
      .meta({ description: `How many days ahead, 1 to ${MOST_DAYS}; ${EXPIRING_DAYS} when absent.`, example: 7 }),
    ...listing,
  }),
  success: { status: 200, schema: ExpiringAccess },
  handler: (ctx, { query: { days = EXPIRING_DAYS, ...page } }) => expiringAccess(ctx, { days, ...page }),
});

export const listUnused = defineOperation({
  ...reading,
  tag,
  id: "accessLifecycle.unused",
  path: "/api/v1/access-unused",
  summary: "List access that is not used, and apart from it access whose use nobody sees",
  description:
    "Access is unused when its target's use was read without a gap for all of the days, and none of it was by this access. Access that was granted within the days is not listed.",
  query: z.strictObject({ days: Days(MOST_DAYS, USAGE_DAYS), ...listing }),
  success: { status: 200, schema: UnusedAccess },
  handler: (ctx, { query: { days = USAGE_DAYS, ...page } }) => unusedAccess(ctx, { days, ...page }),
});

export const readDashboard = defineOperation({
  ...reading,
  tag,
  id: "accessLifecycle.dashboard",
  path: "/api/v1/access-lifecycle/dashboard",
  summary: "Show access in numbers, each with the list that it counts",
  expensive: true,
  success: { status: 200, schema: AccessDashboard },
  handler: (ctx) => accessDashboard(ctx),
});

export const readAccessSummary = defineOperation({
  ...reading,
  tag,
  id: "accessSummary.read",
  path: "/api/v1/ai-assets/{assetId}/access-summary",
  summary: "See what an AI asset can reach now",
  params: OfAsset,
  success: { status: 200, schema: AccessSummary },
  handler: (ctx, { params }) => accessSummary(ctx, params.assetId),
});
