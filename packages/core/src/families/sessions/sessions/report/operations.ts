import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Metadata } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { requireOwn } from "../control/control.js";
import { OUTCOMES, PepId } from "../control/enforcement.js";
import { may, PATH, shared } from "../operations.js";
import { SENSITIVITIES, Session, sessions } from "../schema.js";
import { USAGE_KEYS, Usage } from "./limits.js";
import { acknowledge, heartbeat, reportUsage } from "./report.js";
import { stopsOfSessions } from "./stops.js";

const point = {
  pepId: PepId.optional(),
  presenceSec: z
    .int()
    .min(5)
    .max(3_600)
    .optional()
    .meta({ description: "Seconds until the enforcement point counts as gone; 60 when absent." }),
};
const metadata = Metadata.optional().meta({ description: "Kept with the event." });
const report = { ...shared, method: "POST", params: ById, extension: true } as const;
const success = { status: 200, schema: Session } as const;

/** A session as its enforcement points hear of it: also what stops it without a decision about itself. */
const SessionBeat = Session.extend({
  stoppedBy: z
    .string()
    .nullable()
    .meta({ description: "What else keeps it from going on, as `halt:…` or `kill_switch:…`; `null`: nothing does." }),
}).meta({ id: "AiSessionBeat" });
const beaten = { status: 200, schema: SessionBeat } as const;

async function withStop(ctx: Context, session: Session): Promise<z.output<typeof SessionBeat>> {
  return { ...session, stoppedBy: (await stopsOfSessions(ctx, [session]))(session) ?? null };
}

/** The session, if the caller may report of it: machines of their own, or as enforcement points of any. */
async function reported(ctx: Context, id: string): Promise<Session> {
  const session = await ctx.getForUpdate(sessions, id);
  if (!ctx.principal.permissions.has("ai-session:enforce")) requireOwn(ctx, session);
  return session;
}

export const heartbeatSession = defineOperation({
  ...report,
  id: "aiSessions.heartbeat",
  path: `${PATH}/{id}/heartbeat`,
  summary: "Tell that a session is alive and learn what it may do",
  description:
    "With `pepId` an enforcement point registers: from then on it is asked when something is decided. Leaves no event. The answer of a session that has ended says so, and `stoppedBy` what stops one that is active.",
  access: may("report"),
  quiet: true,
  body: z
    .strictObject(point)
    .meta({ id: "AiSessionHeartbeat", example: { pepId: "gateway-1" } })
    .optional(),
  success: beaten,
  async handler(ctx, { params, body = {} }) {
    return withStop(ctx, await heartbeat(ctx, await reported(ctx, params.id), body));
  },
});

export const reportSessionUsage = defineOperation({
  ...report,
  id: "aiSessions.usage",
  path: `${PATH}/{id}/usage`,
  summary: "Report what a session has spent since the last report",
  description:
    "Counts as a sign of life too. A limit that is reached suspends the session. Usage of a session that has ended is still added.",
  access: may("report"),
  body: z
    .strictObject({
      ...Usage.partial().shape,
      ...point,
      sensitivity: z.enum(SENSITIVITIES).optional().meta({ description: "Of what was touched." }),
      metadata,
    })
    .meta({
      id: "AiSessionUsageReport",
      example: { iterations: 1, inputTokens: 1200, outputTokens: 300, costUsd: 0.01 },
    }),
  success: beaten,
  async handler(ctx, { params, body }) {
    const usage = Object.fromEntries(USAGE_KEYS.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])));
    return withStop(ctx, await reportUsage(ctx, await reported(ctx, params.id), { ...body, usage }));
  },
});

export const acknowledgeSession = defineOperation({
  ...report,
  id: "aiSessions.acknowledge",
  path: `${PATH}/{id}/acknowledgements`,
  summary: "Say, as an enforcement point, whether a decision about a session has been carried out",
  description:
    "`epoch` is the `controlEpoch` of that decision; 412 when another has been taken since. The last answer ends a terminating session.",
  access: may("enforce"),
  body: z
    .strictObject({
      pepId: PepId,
      epoch: z.int().min(0).meta({ description: "`controlEpoch` of the decision." }),
      outcome: z.enum(OUTCOMES).meta({ description: "Whether it was carried out." }),
      detail: z.string().max(2_000).optional().meta({ description: "What to say about it." }),
      metadata,
    })
    .meta({ id: "AiSessionAcknowledgement", example: { pepId: "gateway-1", epoch: 1, outcome: "enforced" } }),
  success,
  async handler(ctx, { params, body }) {
    return acknowledge(ctx, await ctx.getForUpdate(sessions, params.id), body);
  },
});
