import { defineOperation, type Operation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { tableOf } from "#kernel/operation/table.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { CAPABILITIES, type Capability, LIMITS, type LimitKey } from "../capabilities/fields.js";
import { type Entitlement, entitlements, isInForce } from "./schema.js";

const CapabilityState = z
  .object({
    id: z
      .enum(Object.keys(CAPABILITIES) as [Capability, ...Capability[]])
      .meta({ description: "Key of the capability." }),
    description: z.string().meta({ description: "What it is." }),
    licensed: z.boolean().meta({ description: "Whether the tenant has it." }),
    expiresAt: Time.nullable().meta({ description: "When the licence ends or has ended; `null` without an end." }),
    limits: z
      .array(
        z.object({
          key: z.enum(Object.keys(LIMITS) as [LimitKey, ...LimitKey[]]).meta({ description: "Key of the limit." }),
          description: z.string().meta({ description: "What is counted." }),
          used: z.int().min(0).meta({ description: "How many there are." }),
          allowed: z.int().min(0).nullable().meta({ description: "`null` for no limit." }),
        }),
      )
      .meta({ description: "The limits of the capability." }),
    operations: z.array(z.string()).meta({ description: "Ids of the operations that the capability opens." }),
  })
  .meta({ id: "CapabilityState" });
type CapabilityState = z.output<typeof CapabilityState>;

export const listCapabilities = defineOperation({
  id: "platform.capabilities",
  method: "GET",
  path: "/api/v1/platform/capabilities",
  tag: "Platform",
  summary: "List capabilities with the tenant's licences and limits",
  access: "signed-in",
  query: PageQuery,
  success: { status: 200, schema: pageOf(CapabilityState) },
  async handler(ctx, { query }) {
    const keys = Object.keys(CAPABILITIES) as Capability[];
    const rows = await ctx.db.getMany(
      entitlements,
      keys.map((key) => `capability:${key}`),
    );
    const held = new Map(rows.map(({ value }) => [value.key, value]));
    const states = await Promise.all(keys.map((key) => stateOf(ctx, key, held.get(key))));
    return ctx.slice("capabilities", states, query);
  },
});

async function stateOf(ctx: ReadContext, key: Capability, licence: Entitlement | undefined): Promise<CapabilityState> {
  const limits = (Object.keys(LIMITS) as LimitKey[]).filter((limit) => LIMITS[limit].capability === key);
  return {
    id: key,
    description: CAPABILITIES[key],
    licensed: licence !== undefined && isInForce(licence, ctx.request.nowMs),
    expiresAt: licence?.expiresAt ?? null,
    limits: await Promise.all(limits.map((limit) => usageOf(ctx, limit))),
    operations: ctx.env
      .use(tableOf)
      .operations.filter((operation) => opens(operation, key))
      .map(({ id }) => id),
  };
}

async function usageOf(ctx: ReadContext, key: LimitKey): Promise<CapabilityState["limits"][number]> {
  const counted = ctx.env.use(tableOf).collections.find(({ limit }) => limit === key);
  if (!counted) throw new Error(`no collection keeps the limit "${key}"`);
  return {
    key,
    description: LIMITS[key].description,
    used: (await ctx.db.count(counted)).count,
    allowed: ctx.request.tenant?.limit(key) ?? null,
  };
}

function opens({ access }: Operation, capability: Capability): boolean {
  return typeof access === "object" && access.capability === capability;
}
