import { assets } from "#families/estate/index.js";
import {
  KILL_SWITCHES,
  type KillSwitch,
  killSwitches,
  killSwitchStatus,
  PLATFORM_TENANT,
  switchTarget,
  TARGETED_SWITCHES,
  tenantRegistry,
} from "#families/platform/index.js";
import { endSwitchedOff } from "#families/sessions/index.js";
import { invalidProperty, notFound } from "#kernel/http/errors.js";
import { requireVersion } from "#kernel/http/version-condition.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { because, may, shared, sideOf, writeDown } from "../actions/rules.js";
import { living } from "../tenants/operations.js";

const PATH = "/api/v1/support/kill-switches";
const Status = z.enum(["released", "engaged"]);

const Switch = z
  .object({
    id: z.string().meta({ description: "The key of the kill switch.", example: "connectors.outbound" }),
    status: Status.meta({ description: "Whether it stops anything." }),
    description: z.string().meta({ description: "What it stops." }),
    reason: z.string().nullable().meta({ description: "Why it was last moved." }),
    tenantId: z.string().nullable().meta({ description: "The tenant that a switch for one tenant or asset concerns." }),
    version: z
      .int()
      .min(0)
      .meta({ description: "0 for a switch that was never touched; any number for one of a tenant or asset." }),
    createdAt: Time.nullable().meta({ description: "When it was first moved." }),
    updatedAt: Time.nullable().meta({ description: "When it was last moved." }),
    updatedBy: z.string().nullable().meta({ description: "Id of who moved it last." }),
  })
  .meta({ id: "KillSwitch" });
type Switch = z.output<typeof Switch>;

type Static = keyof typeof KILL_SWITCHES;
function viewOf(key: string, stored: KillSwitch | undefined): Switch {
  const target = switchTarget(key);
  return {
    id: key,
    status: stored?.status ?? "released",
    description: target ? TARGETED_SWITCHES[target.prefix] : KILL_SWITCHES[key as Static],
    reason: stored?.reason ?? null,
    tenantId: stored?.tenantId ?? null,
    version: versionOf(key, stored),
    createdAt: stored?.createdAt ?? null,
    updatedAt: stored?.updatedAt ?? null,
    updatedBy: stored?.updatedBy ?? null,
  };
}

/**
 * The version of a switch. That of a switch for one tenant or asset, whose row goes with its release, begins with the
 * time of its making, so that one engaged again has no version of before.
 */
function versionOf(key: string, stored: KillSwitch | undefined): number {
  if (!stored) return 0;
  return switchTarget(key) ? Date.parse(stored.createdAt) + stored.version : stored.version;
}

export const listKillSwitches = defineOperation({
  ...shared,
  id: "support.listKillSwitches",
  method: "GET",
  path: PATH,
  summary: "List all kill switches, and those for single tenants and assets that are engaged",
  access: may("read"),
  query: PageQuery,
  success: { status: 200, schema: pageOf(Switch) },
  async handler(ctx, { query }) {
    const stored = new Map((await everySwitch(ctx)).map((one) => [one.id, one]));
    const targeted = [...stored.keys()].filter((key) => switchTarget(key) !== undefined).sort();
    const keys = [...Object.keys(KILL_SWITCHES), ...targeted];
    return ctx.slice(
      "kill-switches",
      keys.map((key) => viewOf(key, stored.get(key))),
      query,
    );
  },
});

/** All rows: declared switches that were ever used, and engaged targeted ones. */
async function everySwitch(ctx: ReadContext): Promise<KillSwitch[]> {
  const { db } = ctx.on(PLATFORM_TENANT);
  const all: KillSwitch[] = [];
  for (;;) {
    const last = all.at(-1)?.id;
    const rows = await db.scan(killSwitches, { size: 1_000, ...(last === undefined ? {} : { after: last }) });
    all.push(...rows.map((row) => row.value));
    if (rows.length < 1_000) return all;
  }
}

export const setKillSwitch = defineOperation({
  ...shared,
  id: "support.setKillSwitch",
  stops: true,
  method: "POST",
  path: `${PATH}/{key}`,
  summary: "Engage or release a kill switch",
  description:
    "Takes effect at once in this process and within five seconds in every other. `ai.tenant.<id>` stops the assets of one tenant, `ai.asset.<id>` one asset, whose tenant stands in `configuration.tenantId`. Sessions that it stops are terminated, those of all tenants by the next tick.",
  access: may("kill-switches"),
  params: z.object({
    key: z.string().max(255).meta({ description: "Key of a switch.", example: "connectors.outbound" }),
  }),
  body: z
    .strictObject({
      status: Status.meta({ description: "State to move to." }),
      configuration: z
        .strictObject({ tenantId: z.string().max(255).optional().meta({ description: "Id of the asset's tenant." }) })
        .optional()
        .meta({ description: "For a switch on one asset." }),
      ...because,
    })
    .meta({ id: "KillSwitchChange", example: { status: "engaged", reason: "An incident is under way." } }),
  success: { status: 200, schema: Switch },
  errors: ["missing_reason", "invalid_transition", "precondition_failed"],
  async handler(ctx, { params: { key }, body }) {
    const side = ctx.on(PLATFORM_TENANT);
    const previous = (await side.db.get(killSwitches, key))?.value;
    const tenantId = previous ? previous.tenantId : await targetOf(ctx, key, body.configuration?.tenantId);
    const reason = body.status === "engaged" ? (body.reason?.trim() ?? "") : requireReason(body.reason);
    requireVersion(ctx.request.ifMatch, versionOf(key, previous));
    const from = previous?.status ?? "released";
    if (from === body.status) return viewOf(key, previous);
    const record = previous ?? (await place(side, key, tenantId));
    const moved = await side.transition(
      killSwitches,
      killSwitchStatus,
      record,
      { to: body.status },
      { reason, patch: { reason } },
    );
    // A released switch for one tenant or asset needs no row. Its history is in the event streams.
    if (moved.status === "released" && switchTarget(key)) await side.remove(killSwitches, moved, { event: false });
    // Nothing is written into a tenant whose data is being deleted or is gone.
    if (tenantId !== null && (await isLiving(ctx, tenantId))) {
      if (moved.status === "engaged") await endSwitchedOff(sideOf(ctx, tenantId), key);
      await notifyTenant(ctx, tenantId, { key, status: moved.status, reason });
    }
    await writeDown(ctx, {
      operation: "support.setKillSwitch",
      subject: { id: key, type: "kill_switch", path: `${PATH}/${key}` },
      tenantId,
      reason,
      from,
      to: moved.status,
      metadata: body.metadata,
    });
    return viewOf(key, moved);
  },
});

/**
 * The tenant of a targeted switch. `null` for a declared switch. 404 for an unknown key, tenant or asset, and for a
 * tenant that is erased.
 */
async function targetOf(ctx: Context, key: string, given: string | undefined): Promise<string | null> {
  if (Object.hasOwn(KILL_SWITCHES, key)) return null;
  const target = switchTarget(key);
  if (!target) throw notFound();
  const tenantId = target.kind === "tenant" ? target.id : given;
  if (tenantId === undefined)
    throw invalidProperty("/configuration/tenantId", "Say which tenant the asset belongs to.");
  await living(ctx, tenantId);
  if (target.kind === "asset") await sideOf(ctx, tenantId).getOrThrow(assets, target.id);
  return tenantId;
}

async function isLiving(ctx: Context, tenantId: string): Promise<boolean> {
  const tenant = (await ctx.on(PLATFORM_TENANT).db.get(tenantRegistry, tenantId))?.value;
  return tenant?.erasure === null;
}

/** Stores the row of a switch that was never used. */
function place(side: Context, key: string, tenantId: string | null): Promise<KillSwitch> {
  return side.insert(killSwitches, { id: key, status: "released", reason: null, tenantId }, { event: false });
}

/** Emits the event in the stream of the tenant whose assets are affected. */
async function notifyTenant(
  ctx: Context,
  tenantId: string,
  data: { key: string; [name: string]: unknown },
): Promise<void> {
  const target = switchTarget(data.key);
  await sideOf(ctx, tenantId).emit({
    type: "tenant.kill_switch_moved",
    subject: { id: tenantId, type: "tenant", path: `/api/v1/support/tenants/${tenantId}` },
    related: target?.kind === "asset" ? [target.id] : [],
    data,
    severity: "WARN",
  });
}
