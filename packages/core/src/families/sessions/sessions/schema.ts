import { ENVIRONMENTS, Label, Text } from "#families/estate/index.js";
import { foreign, related } from "#kernel/records/authority.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes, Configuration } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { askPoints, concluded, ENFORCEMENT_STATES, Enforcement, Point } from "./control/enforcement.js";
import { isLive, sessionStatus } from "./machine.js";
import { LimitsInForce, NO_LIMITS, SessionLimits, Usage } from "./report/limits.js";
import { dueAt, timeEvent } from "./rules.js";

/** Sensitivities of used data, in ascending order. */
export const SENSITIVITIES = ["public", "internal", "confidential", "restricted"] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

const ExternalIds = z.object({
  conversationId: Label.nullable().default(null).meta({ description: "Of the conversation." }),
  traceId: Label.nullable().default(null).meta({ description: "Of the trace (W3C)." }),
  a2aContextId: Label.nullable().default(null).meta({ description: "Of the Agent2Agent context." }),
});

/** What a caller may set, at the top level of the body or in `configuration`. */
export const SessionFields = z.object({
  agentId: related(
    Label.nullable().meta({
      description: "The agent that runs, by the id of its asset; that of its record is taken too.",
    }),
    "ai_agent",
    "caller",
  ),
  identityId: related(
    Label.nullable().meta({
      description: "The AI identity it acts under, by its id; that of its asset is taken too. The agent runs as it.",
    }),
    "ai_identity",
    "caller",
  ),
  userId: related(
    Label.nullable().meta({ description: "On whose behalf: an active user, or somebody of another system." }),
    "user",
    "record",
  ),
  parentSessionId: related(
    Label.nullable().meta({ description: "The session that started this one." }),
    "ai_session",
    "caller",
  ),
  purpose: Text.meta({ description: "What it is for." }),
  environment: z.enum(ENVIRONMENTS).meta({ description: "Where it runs." }),
  externalIds: foreign(ExternalIds.meta({ description: "Its ids in other systems." })),
  limits: SessionLimits.meta({ description: "Its own limits." }),
  sensitivity: z.enum(SENSITIVITIES).meta({ description: "Can only rise." }),
  expiresAt: Time.nullable().meta({ description: "From then on it reads `expired`." }),
});
export type SessionFields = z.output<typeof SessionFields>;

export const SESSION_DEFAULTS: SessionFields = {
  agentId: null,
  identityId: null,
  userId: null,
  parentSessionId: null,
  purpose: "",
  environment: "unknown",
  externalIds: { conversationId: null, traceId: null, a2aContextId: null },
  limits: NO_LIMITS,
  sensitivity: "public",
  expiresAt: null,
};

/** Fields that cannot change after the start. */
export const FIXED = ["agentId", "identityId", "userId", "parentSessionId"] as const;

const Control = z.object({
  requested: z.enum(["suspend", "resume", "terminate"]).meta({ description: "What was decided." }),
  by: z.string().meta({ description: "Id of who decided." }),
  reason: z.string().nullable().meta({ description: "Why it was decided." }),
  at: Time.meta({ description: "When it was decided." }),
  triggeredBy: z.enum(["user", "policy"]).meta({ description: "What brought it about." }),
});

/** A running session of an agent as it is stored and served. */
export const Session = z
  .object({
    ...recordShape(z.enum(statesOf(sessionStatus))),
    ...SessionFields.shape,
    limitsInForce: LimitsInForce.meta({
      description: "The tightest of its own limits, its agent's, and what the sessions above it have left.",
    }),
    usage: Usage.meta({ description: "What it has used up itself." }),
    usageBelow: Usage.meta({ description: "What the sessions below it have used up. It counts against its limits." }),
    controlEpoch: z.int().min(0).meta({ description: "Rises with every suspension, resumption and termination." }),
    control: Control.nullable().meta({ description: "The last of them." }),
    enforcement: Enforcement.meta({ description: "Whether the last decision was carried out." }),
    enforcementPoints: z.array(Point).meta({ description: "Those that are asked when something is decided." }),
    depth: z.int().min(0).meta({ description: "How many sessions are above it." }),
    hasChildren: z.boolean().meta({ description: "Whether it started others." }),
    startedAt: Time.meta({ description: "When it began." }),
    lastActivityAt: Time.meta({ description: "When it was last heard of." }),
    endedAt: Time.nullable().meta({ description: "When it ended." }),
    configuration: Configuration,
    attributes: Attributes,
  })
  .meta({ id: "AiSession" });
export type Session = z.output<typeof Session>;

/** Properties of a session that a body may repeat but not change. */
export const SESSION_READ_ONLY = [
  ...READ_ONLY,
  "limitsInForce",
  "usage",
  "usageBelow",
  "controlEpoch",
  "control",
  "enforcement",
  "enforcementPoints",
  "depth",
  "hasChildren",
  "startedAt",
  "lastActivityAt",
  "endedAt",
] as const;

/** What a session that has reached a limit is given beside its state. */
function heldBy(session: Session, limit: keyof SessionLimits, at: string): Partial<Session> {
  return {
    controlEpoch: session.controlEpoch + 1,
    control: { requested: "suspend", by: "system", reason: `limit_reached:${limit}`, at, triggeredBy: "policy" },
    enforcement: askPoints(session.enforcementPoints, Date.parse(at)),
  };
}

/** Sessions of agents. The record has everything that leases and heartbeats need. */
export const sessions = defineCollection<Session>({
  name: "ai_sessions",
  prefix: "ses",
  schema: Session,
  resource: { type: "ai_session", event: "session", path: "/api/v1/ai/sessions" },
  related: ({ agentId, identityId, parentSessionId }) =>
    [agentId, identityId, parentSessionId].filter((id) => id !== null),
  machines: { status: sessionStatus },
  fields: {
    status: { type: "text" },
    agentId: { type: "text" },
    identityId: { type: "text" },
    userId: { type: "text" },
    environment: { type: "text" },
    sensitivity: { type: "text" },
    parentSessionId: { type: "text" },
    /** Active or suspended, for cascades. */
    live: { type: "boolean", of: isLive },
    liveAgentId: { type: "text", of: (session) => (isLive(session) ? session.agentId : null) },
    /** For cascades: of those that are live, and of those that have ended and started others. */
    liveParentId: {
      type: "text",
      of: (session) => (isLive(session) || session.hasChildren ? session.parentSessionId : null),
    },
    dueAt: { type: "time", of: dueAt },
    endedAt: { type: "time" },
    /** The enforcement state of a termination that was not fully confirmed. */
    unconfirmed: {
      type: "text",
      of: ({ status, enforcement: { state } }) => (status === "terminated" && state !== "confirmed" ? state : null),
    },
  },
  indexes: [
    { where: ["agentId"] },
    { where: ["parentSessionId"] },
    { where: ["live"] },
    { where: ["liveAgentId"] },
    { where: ["liveParentId"] },
    { where: [], by: "dueAt", partial: true },
    { where: [], by: "endedAt", partial: true },
  ],
  filters: {
    status: { values: statesOf(sessionStatus), changesAt: "dueAt" },
    agentId: { ids: "ai_asset", description: "Only sessions of this agent." },
    identityId: { ids: "ai_identity", description: "The AI identity." },
    userId: { description: "On whose behalf." },
    parentSessionId: { description: "Id of the session that started it." },
    environment: { values: ENVIRONMENTS },
    sensitivity: { values: SENSITIVITIES },
    unconfirmed: {
      values: ENFORCEMENT_STATES.filter((state) => state !== "confirmed"),
      changesAt: "dueAt",
      description: "Terminated ones whose enforcement has this state.",
    },
  },
  counted: ["status", "unconfirmed"],
  retain: true,
  timeTransition: {
    by: "dueAt",
    machine: sessionStatus,
    event: timeEvent,
    reason: "The time set for it was over.",
    patch(session) {
      const event = timeEvent(session);
      if (event === "hold") return heldBy(session, "maxDurationSec", dueAt(session) as string);
      return {
        endedAt: event === null ? session.endedAt : dueAt(session),
        ...(session.enforcement.state === "pending" ? { enforcement: concluded(session.enforcement) } : {}),
      };
    },
  },
});

const ChangeSignal = z.object({ id: z.string(), version: z.int().min(1), createdAt: Time, updatedAt: Time });
type ChangeSignal = z.output<typeof ChangeSignal>;

/**
 * One row per tenant, written with each decision about its sessions and never by heartbeats. Its broadcast tells guards
 * in other processes.
 */
export const sessionChangeSignals = defineCollection<ChangeSignal>({
  name: "session_change_signals",
  prefix: null,
  broadcast: true,
  schema: ChangeSignal,
  secrets: [],
});
