import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { NAME_ID_FORMATS } from "#ports/saml.js";
import { z } from "#schema/z.js";

/** People, and AI identities. */
export const SUBJECT_KINDS = ["user", "client"] as const;
export const SESSION_STATES = ["live", "ended"] as const;
/** `over`: its time has come, and a job deletes it. It is never stored and never shown. */
const STATES = [...SESSION_STATES, "over"] as const;
const CHANNELS = ["none", "browser", "server"] as const;

const SamlSession = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  appId: z.string(),
  /** A user, or an AI identity. */
  userId: z.string(),
  kind: z.enum(SUBJECT_KINDS),
  /** The roles that the host told at the sign-on and that no record here has. They count while the session is open. */
  hostRoles: z.array(z.string()),
  /** As the application was told. */
  nameId: z.string(),
  nameIdFormat: z.enum(NAME_ID_FORMATS),
  sessionIndex: z.string(),
  /** The token of the sign-in by which the person came here in a browser, which ends with a logout. */
  signIn: z.object({ tokenId: z.string(), expiresAt: z.int() }).nullable(),
  endsAt: Time,
  state: z.enum(STATES),
  endedAt: Time.nullable(),
  endReason: z.string().nullable(),
  /** Id of the logout request that went through the browser. */
  logoutId: z.string().nullable(),
  /** Whether the application has said that its own session is over. */
  confirmed: z.boolean(),
  /** How the application is told of the end. */
  channel: z.enum(CHANNELS),
  /** Where it is told from server to server, as it was registered when the session ended. */
  endpoint: z.object({ url: z.string(), entityId: z.string(), certificates: z.array(z.string()) }).nullable(),
  /** When it is told next, or the lease of the process that tells it ends. */
  notifyAt: Time.nullable(),
  attempts: z.int().min(0),
  /** Why the last attempt failed. */
  failure: z.string().nullable(),
});
export type SamlSession = z.output<typeof SamlSession>;

/** Sessions at applications, for logouts. They are deleted when they have ended by themselves. */
export const samlSessions = defineCollection<SamlSession>({
  name: "saml_sessions",
  prefix: "sams",
  schema: SamlSession,
  fields: {
    userId: { type: "text" },
    kind: { type: "text" },
    appId: { type: "text" },
    nameId: { type: "text" },
    state: { type: "text" },
    logoutId: { type: "text" },
    endsAt: { type: "time" },
    notifyAt: { type: "time" },
  },
  filters: { state: { values: SESSION_STATES, changesAt: "endsAt" } },
  indexes: [
    { where: ["appId"] },
    { where: ["userId", "state"] },
    { where: ["appId", "state"] },
    { where: ["kind", "state"] },
    { where: ["appId", "nameId", "state"] },
    { where: ["logoutId"] },
    { where: [], by: "endsAt" },
    { where: [], by: "notifyAt", partial: true },
  ],
  staleAt: ({ endsAt }) => endsAt,
  derive: (session, now) => (session.endsAt <= now ? { ...session, state: "over" } : session),
});

/** A session as those see it who look after applications. */
export const ShownSession = z
  .object({
    id: z.string().meta({ description: "The unique id of the record." }),
    appId: z.string().meta({ description: "Id of the application." }),
    userId: z.string().meta({ description: "Id of the user or AI identity." }),
    nameId: z.string().meta({ description: "Their name, as the application was told." }),
    sessionIndex: z.string().meta({ description: "The session, as the application was told." }),
    state: z.enum(SESSION_STATES).meta({ description: "Whether it is open." }),
    startedAt: Time.meta({ description: "When they signed on." }),
    endsAt: Time.meta({ description: "When it ends by itself." }),
    endedAt: Time.nullable().meta({ description: "When it was ended." }),
    endReason: z.string().nullable().meta({ description: "Why it was ended." }),
    channel: z.enum(CHANNELS).meta({
      description: "How the application is told: by Reeve (`server`), by the person's browser, or not at all.",
    }),
    confirmed: z.boolean().meta({ description: "Whether the application has said that its own session is over." }),
    attempts: z.int().meta({ description: "Failed attempts to tell it." }),
    nextAttemptAt: Time.nullable().meta({ description: "When it is told next." }),
    failure: z.string().nullable().meta({ description: "Why the last attempt failed." }),
    residualAccess: z.enum(["none", "possible"]).nullable().meta({
      description: "Whether the application's own session may go on after the end; `null` for an open one.",
    }),
  })
  .meta({ id: "SamlSession" });

export function shownSession(session: SamlSession): z.output<typeof ShownSession> {
  const { id, appId, userId, nameId, sessionIndex, createdAt, endsAt, endedAt, endReason } = session;
  const state = session.state === "live" ? "live" : "ended";
  const { channel, confirmed, attempts, notifyAt, failure } = session;
  return {
    ...{ id, appId, userId, nameId, sessionIndex, state, startedAt: createdAt, endsAt, endedAt, endReason },
    ...{ channel, confirmed, attempts, nextAttemptAt: notifyAt, failure },
    residualAccess: state === "live" ? null : confirmed ? "none" : "possible",
  };
}
