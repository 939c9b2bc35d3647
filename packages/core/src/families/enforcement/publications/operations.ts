import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { noteSeen, requireInstallation } from "../installations/credentials/own.js";
import { PUBLISHED_CLIENTS, type PublishedClient } from "./fields.js";
import { agentOf, Bundle, previewSet, publishSet, type SignedSet, signSet } from "./publish-set.js";
import { Publication, publications } from "./schema.js";

const PATH = "/api/v1/ai/publications";
const tag = "AI Enforcement";
const capability = "ai_governance";
const shared = { tag, path: PATH, collection: publications, schema: Publication, extension: true } as const;
const may = (verb: "read" | "publish") => ({ permission: `publication:${verb}`, capability }) as const;

const AssetId = z
  .string()
  .max(200)
  .meta({ description: "The asset of the agent.", example: "ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" });
const OfAgent = z.object({ assetId: AssetId });
const OfClient = z.strictObject({
  clientName: z.string().max(200).meta({
    description:
      "The client that reads the files: `claude-code`, `codex`, `copilot`, `gemini-cli`, `vscode` or `cursor`.",
    example: "codex",
  }),
});
const ForClient = z.strictObject({
  client: z.enum(PUBLISHED_CLIENTS).meta({ description: "The client that reads the files.", example: "codex" }),
});

export const listPublications = listOperation({
  ...shared,
  id: "publications.list",
  summary: "List what was published to clients",
  access: may("read"),
});

export const readPublication = readOperation({
  ...shared,
  id: "publications.read",
  summary: "Read one publication, without its files",
  access: may("read"),
});

export const previewPublication = defineOperation({
  id: "publications.preview",
  method: "GET",
  path: "/api/v1/ai-assets/{assetId}/publication",
  tag,
  summary: "Show the files of a client that would be published for an agent now",
  description:
    "Exactly the MCP servers that the agent uses and that are approved at this moment, each with how strictly the client holds to it, and what is left out and why. Nothing is published by looking.",
  extension: true,
  access: may("read"),
  params: OfAgent,
  query: OfClient,
  success: { status: 200, schema: Bundle },
  handler: async (ctx, { params, query }) =>
    previewSet(ctx, await agentOf(ctx, params.assetId), publishedClient(query.clientName)),
});

export const publish = defineOperation({
  id: "publications.publish",
  method: "POST",
  path: "/api/v1/ai-assets/{assetId}/publication",
  tag,
  summary: "Make a publication of what an agent may use in a client now",
  description:
    "The same set keeps its number and its bytes. A new one is signed over its digest by a key of the key set, and filed as an event with what was left out and why. A set is signed anew when the key set changes, so that machines that know the keys of before come to know those of now.",
  extension: true,
  access: may("publish"),
  params: OfAgent,
  body: ForClient.meta({ id: "PublicationRequest", example: { client: "codex" } }),
  success: { status: 200, schema: Bundle },
  errors: ["concurrent_modification"],
  prepare: async (ctx, { params, body }) => signSet(ctx, await agentOf(ctx, params.assetId), body.client),
  handler: async (ctx, { params, body }, signed) =>
    publishSet(ctx, await agentOf(ctx, params.assetId), body.client, signed),
});

export const readOwnPublication = defineOperation({
  id: "installations.readPublication",
  method: "GET",
  path: "/api/v1/ai/installation/publication",
  tag,
  summary: "Read the files of one's own client, as an installation",
  description:
    "Its `ETag` stands for the whole answer, so that `If-None-Match` is answered by 304 while there is no news. Where `number` or `jws` is `null`, the set is to be published by POST.",
  extension: true,
  access: { permission: "installation:act", capability },
  success: { status: 200, schema: Bundle },
  async handler(ctx) {
    const { agentId, client } = await requireInstallation(ctx);
    const bundle = await previewSet(ctx, await agentOf(ctx, agentId), publishedClient(client));
    const text = JSON.stringify(bundle);
    return new Raw(text, "application/json", { headers: { etag: `"${sha256(text)}"` } });
  },
});

export const publishToInstallation = defineOperation({
  id: "installations.publication",
  method: "POST",
  path: "/api/v1/ai/installation/publication",
  tag,
  summary: "Have the files of one's own client published, as an installation",
  description: "What `publications.publish` answers, for the agent and the client of the calling installation.",
  extension: true,
  access: { permission: "installation:act", capability },
  success: { status: 200, schema: Bundle },
  errors: ["concurrent_modification", "not_found"],
  prepare: async (ctx) => {
    const { agentId, client } = await requireInstallation(ctx);
    return signSet(ctx, await agentOf(ctx, agentId), publishedClient(client));
  },
  handler: (ctx, _input, signed) => ownPublication(ctx, signed),
});

async function ownPublication(ctx: Context, signed: SignedSet): Promise<Bundle> {
  const installation = await requireInstallation(ctx);
  const { agentId, client } = installation;
  await noteSeen(ctx, installation);
  return publishSet(ctx, await agentOf(ctx, agentId), publishedClient(client), signed);
}

/** A client that files are written for. 404 for any other. */
function publishedClient(name: string): PublishedClient {
  const client = PUBLISHED_CLIENTS.find((one) => one === name);
  if (client) return client;
  throw new ReeveError("not_found", "No files are written for this client.");
}
