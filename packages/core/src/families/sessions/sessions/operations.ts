import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, readOperation, removeOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { complete, control, enforceLimits, requireOwn } from "./control/control.js";
import { isOver, sessionStatus } from "./machine.js";
import { Session, sessions } from "./schema.js";
import { boundsOf } from "./start/agent.js";
import { checkChange, readSessionBody, SessionRequest } from "./start/body.js";
import { future, startSession } from "./start/start.js";

export const PATH = "/api/v1/ai/sessions";
export const shared = { tag: "AI Sessions" } as const;
export const may = (verb: "read" | "write" | "delete" | "report" | "enforce" | "suspend" | "resume" | "terminate") =>
  ({ permission: `ai-session:${verb}`, capability: "ai_registry" }) as const;

export const listSessions = defineOperation({
  ...shared,
  id: "aiSessions.list",
  method: "GET",
  path: PATH,
  summary: "List sessions of agents",
  access: may("read"),
  query: listQuery(sessions),
  success: { status: 200, schema: pageOf(Session) },
  handler: (ctx, { query }) => ctx.page(sessions, query),
});

export const createSession = defineOperation({
  ...shared,
  id: "aiSessions.create",
  method: "POST",
  path: PATH,
  summary: "Start a session of an agent",
  description:
    "Refused while the agent may not be used. A machine starts sessions under its own identity, of agents that run as it, below its own. A `status` moves the new session there through its machine.",
  access: may("write"),
  body: SessionRequest.optional(),
  success: { status: 201, schema: Session },
  errors: [
    "invalid_reference",
    "invalid_transition",
    "transition_guard_failed",
    "missing_reason",
    "read_only_property",
  ],
  async handler(ctx, { body = {} }) {
    const given = readSessionBody(body);
    return moveSession(ctx, await startSession(ctx, given), given.status, given.reason);
  },
});

export const readSession = readOperation({
  ...shared,
  id: "aiSessions.read",
  path: PATH,
  summary: "Read one session of an agent",
  access: may("read"),
  collection: sessions,
  schema: Session,
});

export const replaceSession = defineOperation({
  ...shared,
  id: "aiSessions.replace",
  stops: true,
  method: "PUT",
  path: `${PATH}/{id}`,
  summary: "Change a session of an agent",
  description:
    "Properties that are sent are replaced, properties left out stay as they are. `status` suspends, resumes, terminates or completes. Only people raise limits or put the end off.",
  access: may("write"),
  params: ById,
  body: SessionRequest.optional(),
  success: { status: 200, schema: Session },
  errors: ["invalid_transition", "transition_guard_failed", "missing_reason", "read_only_property"],
  async handler(ctx, { params, body = {} }) {
    const before = await ctx.getForUpdate(sessions, params.id);
    requireOwn(ctx, before);
    const { fields, free, status, reason } = readSessionBody(body, before);
    checkChange(ctx, before, fields);
    if (fields.expiresAt !== undefined && fields.expiresAt !== before.expiresAt) future(ctx, fields.expiresAt);
    const limits = fields.limits ?? before.limits;
    const inForce = fields.limits ? await boundsOf(ctx, { ...before, limits }) : before.limitsInForce;
    const after = await ctx.update(sessions, before, { ...fields, ...free, limitsInForce: inForce });
    const moved = await moveSession(ctx, after, status, reason);
    return moved.version === before.version ? moved : enforceLimits(ctx, moved);
  },
});

export const deleteSession = removeOperation({
  ...shared,
  id: "aiSessions.delete",
  path: PATH,
  summary: "Delete a session that has ended",
  access: may("delete"),
  collection: sessions,
  errors: ["in_use"],
  mayRemove(_ctx, session) {
    if (!isOver(session)) throw new ReeveError("in_use", `The session is ${session.status}; terminate it first.`);
  },
});

/** Moves a session to the status in a body. */
async function moveSession(
  ctx: Context,
  session: Session,
  status: string | undefined,
  reason: string | undefined,
): Promise<Session> {
  if (status === undefined || status === session.status) return session;
  if (status === "suspended") return control(ctx, session, "suspend", { reason });
  if (status === "active") return control(ctx, session, "resume", { reason });
  if (status === "terminating" || status === "terminated") return control(ctx, session, "terminate", { reason });
  if (status === "completed") return complete(ctx, session, reason);
  return ctx.transition(sessions, sessionStatus, session, { to: status }, { reason });
}
