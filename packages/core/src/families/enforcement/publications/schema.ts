import { defineCollection } from "#kernel/records/collection.js";
import { recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Entry, LeftOut, PUBLISHED_CLIENTS } from "./fields.js";

/** A set of MCP servers that was published for the installations of one agent in one client. */
export const Publication = z
  .object({
    ...recordFields,
    agentId: z.string().meta({ description: "The asset of the agent whose installations it is for." }),
    client: z.enum(PUBLISHED_CLIENTS).meta({ description: "The client that reads it." }),
    number: z.int().min(1).meta({ description: "Rises by one with every set of the agent in the client." }),
    digest: z.string().meta({ description: "SHA-256 of directory and files in canonical JSON, hexadecimal." }),
    entries: z.array(Entry).meta({ description: "What is allowed, by name." }),
    leftOut: z.array(LeftOut).meta({ description: "What the agent uses and was not published, and why." }),
    heldTo: z.int().nullable().meta({
      description: "Number of the earlier publication that it was taken back to; `null`: all that is approved.",
    }),
    jws: z.string().meta({
      description:
        "JWS by a key of the key set, over number, digests, tenant, agent, client and the public keys of that moment.",
    }),
  })
  .meta({ id: "Publication" });
export type Publication = z.output<typeof Publication>;

/** Publications, by agent and client, the newest last. */
export const publications = defineCollection<Publication>({
  name: "publications",
  prefix: "pub",
  schema: Publication,
  resource: { type: "publication", event: "publication", path: "/api/v1/ai/publications" },
  related: ({ agentId, entries }) => [agentId, ...entries.map(({ assetId }) => assetId)],
  fields: {
    agentId: { type: "text", compare: "exact" },
    client: { type: "text", compare: "exact" },
    number: { type: "integer" },
    digest: { type: "text", compare: "exact" },
    agentClient: { type: "text", combines: ["agentId", "client"] },
  },
  unique: { number: ["agentId", "client", "number"] },
  indexes: [
    { where: ["agentId"] },
    { where: ["agentId", "client"], by: "number" },
    { where: ["agentId", "client", "digest"], by: "number" },
    { where: ["agentClient"] },
  ],
  filters: {
    agentId: { ids: "ai_asset", description: "The asset of the agent." },
    client: { values: PUBLISHED_CLIENTS },
  },
});
