import { Event, filteredEvents, keptReasons } from "#families/activity/index.js";
import { Finding, findings } from "#families/findings/index.js";
import { historyStream } from "#kernel/events/events.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { DEFAULT_SIZE, type PageQuery, pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sidesOf } from "#kernel/operation/sides.js";
import { Page } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import type { EventStreams } from "#store/event-log.js";
import { assetLifecycle, governanceState } from "./machine.js";
import { type Asset, AssetQuery, assets, Transition } from "./schema.js";

const PATH = "/api/v1/ai-assets/{id}";
const access = { permission: "ai-asset:read", capability: "ai_registry" } as const;
const { assetId: _fixed, ...ofFindings } = findings.filters;
const { assetType, provider, environment } = AssetQuery.shape;
const ofAsset = { assetType, provider, environment };
const shared = { method: "GET", tag: "AI Registry", access, params: ById, query: AssetQuery } as const;

/**
 * Histories take the filters of asset lists, because the published API has them. They describe the asset. When it does
 * not match, the history is empty.
 */
async function subject(
  ctx: ReadContext,
  id: string,
  query: AssetQuery,
): Promise<{ page: PageQuery; search: string; matches: boolean }> {
  const asset: Asset = await ctx.getOrThrow(assets, id);
  const { assetType, provider, environment, search = "", ...page } = query;
  const matches = [
    assetType === undefined || assetType === asset.assetType,
    provider === undefined || provider === asset.provider,
    environment === undefined || environment === asset.environment,
  ].every(Boolean);
  return { page, search, matches };
}

async function eventsOf(
  ctx: ReadContext,
  id: string,
  query: AssetQuery,
  stream: EventStreams,
  shape?: (event: Event, keptReason: string | undefined) => unknown,
): Promise<Page> {
  const { page, search, matches } = await subject(ctx, id, query);
  if (!matches) return new Page("[]", 0, page.size ?? DEFAULT_SIZE, { count: 0, exact: true }, null);
  const found = await filteredEvents(ctx, { ...page, ...(search === "" ? {} : { search }) }, stream);
  if (!shape) return found;
  const events = JSON.parse(found.items) as Event[];
  const kept = events.some(({ data }) => data === null) ? await keptReasons(ctx, id) : undefined;
  const items = events.map((event) => shape(event, kept?.get(Number(event.sequence))));
  return new Page(JSON.stringify(items), found.page, found.size, found.total, found.nextCursor);
}

export const listAssetActivity = defineOperation({
  ...shared,
  id: "aiAssets.listActivity",
  path: `${PATH}/activity`,
  summary: "List what has happened to an AI asset, newest first",
  success: { status: 200, schema: pageOf(Event) },
  handler: async (ctx, { params, query }) => eventsOf(ctx, params.id, query, await sidesOf(ctx, params.id)),
});

export const readAssetEvent = defineOperation({
  id: "aiAssets.readActivity",
  method: "GET",
  tag: "AI Registry",
  access,
  path: `${PATH}/activity/{eventId}`,
  summary: "Read one event of an AI asset",
  params: ById.extend({ eventId: z.string().meta({ description: "Id of the event." }) }),
  success: { status: 200, schema: Event },
  async handler(ctx, { params }) {
    await ctx.getOrThrow(assets, params.id);
    return ctx.event(params.eventId, await sidesOf(ctx, params.id));
  },
});

export const listLifecycleHistory = defineOperation({
  ...shared,
  id: "aiAssets.listLifecycleHistory",
  path: `${PATH}/lifecycle/history`,
  summary: "List the lifecycle states an AI asset has been in, newest first",
  success: { status: 200, schema: pageOf(Transition) },
  handler: (ctx, { params, query }) =>
    eventsOf(ctx, params.id, query, historyStream(params.id, assetLifecycle.name), (event, keptReason) =>
      toTransition(event, "status", keptReason),
    ),
});

export const listGovernanceHistory = defineOperation({
  ...shared,
  id: "aiAssets.listGovernanceHistory",
  path: `${PATH}/governance-state/history`,
  summary: "List the governance states an AI asset has been in, newest first",
  success: { status: 200, schema: pageOf(Transition) },
  handler: (ctx, { params, query }) =>
    eventsOf(ctx, params.id, query, historyStream(params.id, governanceState.name), (event, keptReason) =>
      toTransition(event, "governanceState", keptReason),
    ),
});

/** An event as a step of a history. A creation is the step to the first state. Of an erased one the reason may be kept. */
function toTransition(
  event: Event,
  field: "status" | "governanceState",
  keptReason: string | undefined,
): z.output<typeof Transition> {
  const data = (event.data ?? {}) as {
    after?: Record<string, string>;
    event?: string;
    reason?: string;
    guards?: string[];
    triggeredBy?: z.output<typeof Transition>["triggeredBy"];
  };
  return {
    id: event.id,
    eventId: event.id,
    from: event.fromstate ?? null,
    to: event.tostate ?? data.after?.[field] ?? "",
    event: data.event ?? null,
    reason: data.reason ?? keptReason ?? null,
    actor: { type: event.authtype, id: event.authid },
    at: event.time,
    guards: data.guards ?? [],
    triggeredBy: data.triggeredBy ?? "user",
  };
}

export const listAssetFindings = defineOperation({
  ...shared,
  id: "aiAssets.listFindings",
  path: `${PATH}/governance-findings`,
  summary: "List the governance findings of an AI asset",
  query: listQuery({ ...findings, filters: ofFindings }, "title, message, keys of policy and rule or locus", ofAsset),
  success: { status: 200, schema: pageOf(Finding) },
  async handler(ctx, { params, query }) {
    const { matches } = await subject(ctx, params.id, query);
    if (!matches) return new Page("[]", 0, query.size ?? DEFAULT_SIZE, { count: 0, exact: true }, null);
    return ctx.page(findings, query, { where: { assetId: params.id } });
  },
});
