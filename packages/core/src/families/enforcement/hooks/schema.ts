import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const ClientSession = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  installationId: z.string(),
  /** SHA-256 of the id that the client has given its session. */
  sessionHash: z.string(),
  sessionId: z.string(),
});
export type ClientSession = z.output<typeof ClientSession>;

/** Which session of Reeve a session of a client is. */
export const clientSessions = defineCollection<ClientSession>({
  name: "client_sessions",
  prefix: "cls",
  schema: ClientSession,
  fields: {
    installationId: { type: "text", compare: "exact" },
    sessionHash: { type: "text", compare: "exact" },
    sessionId: { type: "text" },
  },
  unique: { client: ["installationId", "sessionHash"] },
  indexes: [{ where: ["installationId"] }, { where: ["sessionId"] }],
});
