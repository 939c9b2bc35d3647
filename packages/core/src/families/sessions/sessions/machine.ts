import { deniedBecause, effectiveOf } from "#families/estate/index.js";
import { defineMachine, type Guard } from "#kernel/operation/guard.js";
import { limitReached, type Spending } from "./report/limits.js";
import { identityDenial } from "./start/identity.js";

/** The fields that guards read. */
interface Governed extends Spending {
  readonly agentId: string | null;
  readonly identityId: string | null;
}

const agentUsable: Guard<Governed> = {
  description: "Its agent may be used.",
  async check({ record, ctx }) {
    const decided = await effectiveOf(ctx, record.agentId, "agent");
    return decided.decision === "deny" ? `Its agent may not be used (${deniedBecause(decided)}).` : undefined;
  },
};

const identityUsable: Guard<Governed> = {
  description: "Its AI identity may be used.",
  async check({ record: { identityId }, ctx }) {
    const denial = identityId === null ? undefined : await identityDenial(ctx, identityId);
    return denial && `Its identity may not be used (${denial}).`;
  },
};

const withinLimits: Guard<Governed> = {
  description: "None of its limits is reached.",
  check({ record, ctx }) {
    const reached = limitReached(record, ctx.request.nowMs);
    return reached && `The limit ${reached} is reached; raise it first.`;
  },
};

/** `status` of a session: what its agent may do. */
export const sessionStatus = defineMachine<Governed>()({
  name: "sessionStatus",
  field: "status",
  eventType: "session.status.changed",
  states: {
    active: "Its agent may work.",
    suspended: "Its agent may start nothing; people can resume it.",
    terminating: "Ended for good; enforcement points are still to say so.",
    terminated: "Ended for good by somebody or by a rule. How far that is confirmed stands in `enforcement`.",
    completed: "Ended as its agent had finished.",
    expired: "Ended by time or by silence.",
  },
  initial: ["active"],
  guards: { agentUsable, identityUsable, withinLimits },
  transitions: [
    {
      event: "suspend",
      from: ["active"],
      to: "suspended",
      stops: true,
      permission: "ai-session:suspend",
      warns: true,
    },
    {
      event: "resume",
      from: ["suspended"],
      to: "active",
      permission: "ai-session:resume",
      byPeople: true,
      guards: ["agentUsable", "identityUsable", "withinLimits"],
    },
    {
      event: "terminate",
      from: ["active", "suspended"],
      to: "terminating",
      stops: true,
      permission: "ai-session:terminate",
      warns: true,
    },
    { event: "finish", from: ["terminating"], to: "terminated", automatic: true },
    { event: "complete", from: ["active"], to: "completed" },
    { event: "hold", from: ["active"], to: "suspended", automatic: true, warns: true },
    { event: "expire", from: ["active", "suspended"], to: "expired", automatic: true },
  ],
});

/** Whether a session may continue, now or after it is resumed. */
export function isLive({ status }: { readonly status: string }): boolean {
  return status === "active" || status === "suspended";
}

/** Whether a session has ended and awaits no acknowledgement. */
export function isOver({ status }: { readonly status: string }): boolean {
  return status === "completed" || status === "expired" || status === "terminated";
}
