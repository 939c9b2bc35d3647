import { Event } from "#families/activity/index.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf, pageQuery } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { instances } from "../instances/schema.js";
import { may } from "../registry/operations.js";
import { ActivitySummary, summaryOf } from "./activity-summary.js";
import { PATH, shared } from "./operations.js";

const query = z.strictObject(pageQuery);

export const listIntegrationActivity = defineOperation({
  ...shared,
  id: "integrations.listActivity",
  method: "GET",
  path: `${PATH}/{id}/activity`,
  summary: "List what has happened to an integration, newest first",
  access: may("read"),
  params: ById,
  query,
  success: { status: 200, schema: pageOf(Event) },
  async handler(ctx, { params, query: asked }) {
    await ctx.getOrThrow(instances, params.id);
    return ctx.events(asked, params.id);
  },
});

export const readIntegrationEvent = defineOperation({
  ...shared,
  id: "integrations.readActivity",
  method: "GET",
  path: `${PATH}/{id}/activity/{eventId}`,
  summary: "Read one event of an integration",
  access: may("read"),
  params: ById.extend({ eventId: z.string().meta({ description: "Id of the event." }) }),
  query,
  success: { status: 200, schema: Event },
  async handler(ctx, { params }) {
    await ctx.getOrThrow(instances, params.id);
    return ctx.event(params.eventId, params.id);
  },
});

export const summarizeIntegrationActivity = defineOperation({
  ...shared,
  id: "integrations.summarizeActivity",
  method: "GET",
  path: `${PATH}/{id}/activity/summary`,
  summary: "Count what has happened to an integration, by type, day and outcome",
  access: may("read"),
  params: ById,
  query,
  success: { status: 200, schema: ActivitySummary },
  async handler(ctx, { params }) {
    await ctx.getOrThrow(instances, params.id);
    return summaryOf(ctx, params.id);
  },
});
