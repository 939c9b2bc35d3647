import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { Time } from "../../../kernel/records/record.js";
import { NAME_ID_FORMATS } from "../../../ports/saml.js";

const SamlSession = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  appId: z.string(),
  /** A user, or an AI identity. */
  userId: z.string(),
  /** As the application was told. */
  nameId: z.string(),
  nameIdFormat: z.enum(NAME_ID_FORMATS),
  sessionIndex: z.string(),
  endsAt: Time,
  state: z.enum(["live", "ended"]),
  endedAt: Time.nullable(),
  endReason: z.string().nullable(),
  /** Id of the logout request that the application was sent last. */
  logoutId: z.string().nullable(),
  /** Whether the application has answered that request with success. */
  confirmed: z.boolean(),
});
export type SamlSession = z.output<typeof SamlSession>;

/** Sessions at applications, for logouts. They are deleted when they have ended by themselves. */
export const samlSessions = defineCollection<SamlSession>({
  name: "saml_sessions",
  prefix: "sams",
  schema: SamlSession,
  fields: {
    userId: { type: "text" },
    appId: { type: "text" },
    nameId: { type: "text" },
    state: { type: "text" },
    logoutId: { type: "text" },
    endsAt: { type: "time" },
  },
  indexes: [
    { where: ["userId", "state"] },
    { where: ["appId", "state"] },
    { where: ["appId", "nameId", "state"] },
    { where: ["logoutId"] },
    { where: [], by: "endsAt" },
  ],
});
