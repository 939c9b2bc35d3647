import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { HOOK_CLIENTS } from "../hooks/fields.js";

const RegisteredTool = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  client: z.enum(HOOK_CLIENTS),
  toolName: z.string(),
  assetId: z.string(),
});
export type RegisteredTool = z.output<typeof RegisteredTool>;

/** Which asset a tool of a client is. */
export const registeredTools = defineCollection<RegisteredTool>({
  name: "client_pack_tools",
  prefix: "cpt",
  schema: RegisteredTool,
  fields: {
    client: { type: "text", compare: "exact" },
    toolName: { type: "text", compare: "exact" },
    assetId: { type: "text" },
  },
  unique: { tool: ["client", "toolName"] },
  indexes: [{ where: ["assetId"] }],
});
