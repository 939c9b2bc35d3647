import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { annotatedActionBody } from "#kernel/records/open-body.js";
import { isOver } from "../machine.js";
import { may, PATH, shared } from "../operations.js";
import { askAgain } from "../report/report.js";
import { Session, sessions } from "../schema.js";
import { control, requireOwn, sessionToControl, terminateBelow } from "./control.js";

const SessionControl = annotatedActionBody({
  id: "AiSessionControl",
  example: { reason: "It reads what it should not." },
});

const verb = {
  ...shared,
  method: "POST",
  params: ById,
  body: SessionControl.optional(),
  success: { status: 201, schema: Session },
} as const;

export const suspendSession = defineOperation({
  ...verb,
  id: "aiSessions.suspend",
  stops: true,
  path: `${PATH}/{id}/suspend`,
  summary: "Suspend a session so that its agent starts nothing more",
  description: "`enforcement` tells how far that has reached the places where the agent runs.",
  access: may("suspend"),
  errors: ["invalid_transition"],
  async handler(ctx, { params, body = {} }) {
    const session = await sessionToControl(ctx, params.id);
    if (session.status === "suspended") return session;
    return control(ctx, session, "suspend", body);
  },
});

export const resumeSession = defineOperation({
  ...verb,
  id: "aiSessions.resume",
  path: `${PATH}/{id}/resume`,
  summary: "Resume a suspended session",
  description: "For people only. Refused while its agent may not be used or one of its limits is reached.",
  access: may("resume"),
  extension: true,
  errors: ["invalid_transition", "transition_guard_failed"],
  async handler(ctx, { params, body = {} }) {
    const session = await sessionToControl(ctx, params.id);
    if (session.status === "active") return session;
    return control(ctx, session, "resume", body);
  },
});

export const terminateSession = defineOperation({
  ...verb,
  id: "aiSessions.terminate",
  stops: true,
  path: `${PATH}/{id}/terminate`,
  summary: "Terminate a session and those it has started",
  description:
    "A session that has ended stays as it is, and what it has started is terminated. It is `terminating` until its enforcement points have answered or ten seconds are over; without one it is `terminated` at once and `enforcement.state` is `unconfirmed`.",
  access: may("terminate"),
  async handler(ctx, { params, body = {} }) {
    const session = await sessionToControl(ctx, params.id);
    requireOwn(ctx, session);
    if (isOver(session)) await terminateBelow(ctx, session);
    if (isOver(session) || session.status === "terminating") return session;
    return control(ctx, session, "terminate", body);
  },
});

export const retryEnforcement = defineOperation({
  ...verb,
  id: "aiSessions.retryEnforcement",
  path: `${PATH}/{id}/enforcement/retry`,
  summary: "Ask the enforcement points of a session again",
  description: "For a suspension or termination that is not confirmed.",
  access: may("terminate"),
  extension: true,
  errors: ["invalid_transition"],
  async handler(ctx, { params, body = {} }) {
    const session = await ctx.getForUpdate(sessions, params.id);
    requireOwn(ctx, session);
    return askAgain(ctx, session, body);
  },
});
