import { ReeveError } from "#kernel/http/errors.js";
import { isFromElsewhere } from "#kernel/http/http.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { RESOURCE_METADATA } from "#kernel/pipeline/encode.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { json } from "../authzen/fields.js";
import { toolboxOf } from "./tools/open-toolbox.js";

const PATH = "/mcp";
const shared = { tag: "MCP Registry", mount: "doors", extension: true } as const;
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

const Message = z
  .object({
    jsonrpc: z.literal("2.0").meta({ description: "The version of JSON-RPC." }),
    id: z
      .union([z.string().max(200), z.number()])
      .optional()
      .meta({ description: "Absent in a notification." }),
    method: z.string().min(1).max(200).meta({ description: "What the client asks for, as `tools/list`." }),
    params: AnyObject.optional().meta({ description: "What it asks about." }),
  })
  .meta({ id: "McpMessage", example: { jsonrpc: "2.0", id: 1, method: "ping" } });

/** A page of another site must not use what a browser knows its person by. */
function refuseOtherOrigins({ request, env }: OutsideContext): void {
  const { host, headers = {} } = request;
  const sent = { ...headers, ...(host ? { host } : {}) };
  const asked = { method: "POST", target: PATH, headers: sent, body: async () => undefined };
  if (isFromElsewhere(asked, env.options.baseUrl))
    throw new ReeveError("permission_denied", "A page of another origin has sent this.");
}

export const answerMessage = defineOperation({
  ...shared,
  id: "mcp.answer",
  method: "POST",
  path: PATH,
  summary: "Answer a message to Reeve's own MCP server",
  description:
    "Streamable HTTP of MCP 2025-11-25 and older, without sessions, and of 2026-07-28. Its tools read, explain, propose and request; none decides. A call is checked, limited and recorded as the operation behind it. Takes tokens for its own address alone, by `resource` of the token endpoint.",
  access: "signed-in",
  effect: "own",
  ownAudience: true,
  runsOthers: true,
  takes: json,
  openBody: true,
  unkept: ["params"],
  headers: [...HEADERS, "origin", "sec-fetch-site"],
  body: Message,
  success: { status: 200, schema: AnyObject.meta({ description: "The answer in JSON-RPC." }) },
  errors: ["not_configured", "permission_denied"],
  async handler(ctx, { body: message }) {
    refuseOtherOrigins(ctx);
    if (ctx.principal.bySession) throw new ReeveError("permission_denied", "Send a token in place of a cookie.");
    const { mcp } = ctx.env;
    if (!mcp?.answer)
      throw new ReeveError("not_configured", "The option `mcp` is not set to mcpConnector() of @reeve/mcp.");
    const { headers: sent = {} } = ctx.request;
    const headers = Object.fromEntries(HEADERS.flatMap((name) => (name in sent ? [[name, sent[name] as string]] : [])));
    const { status, contentType, body } = await mcp.answer({ headers, message }, toolboxOf(ctx));
    return new Raw(body, contentType, { status });
  },
});

export const refuseStream = defineOperation({
  ...shared,
  id: "mcp.stream",
  method: "GET",
  path: PATH,
  hidden: true,
  summary: "Refuse a stream of messages, since there is none",
  access: "public",
  success: { status: 200, schema: AnyObject },
  errors: ["method_not_allowed"],
  handler: async () => {
    throw new ReeveError("method_not_allowed", undefined, { headers: { allow: "POST" } });
  },
});

const ResourceMetadata = z
  .object({
    resource: z.url().meta({ description: "Its address, which `resource` of the token endpoint names." }),
    authorization_servers: z.array(z.url()).meta({ description: "Where tokens for it are issued." }),
    bearer_methods_supported: z.array(z.string()).meta({ description: "How tokens are sent." }),
    resource_name: z.string().meta({ description: "What it is called." }),
  })
  .meta({ id: "ProtectedResourceMetadata" });

export const readResourceMetadata = defineOperation({
  ...shared,
  id: "mcp.metadata",
  method: "GET",
  path: `${RESOURCE_METADATA}${PATH}`,
  summary: "Tell clients of Reeve's own MCP server where tokens for it are issued",
  description: "RFC 9728. Under a prefix it stands below the prefix; a refusal for want of a token tells its address.",
  access: "public",
  success: { status: 200, schema: ResourceMetadata },
  async handler(ctx) {
    const { baseUrl } = ctx.env.options;
    const metadata: z.output<typeof ResourceMetadata> = {
      resource: `${baseUrl}${PATH}`,
      authorization_servers: [baseUrl],
      bearer_methods_supported: ["header"],
      resource_name: "Reeve",
    };
    return new Raw(JSON.stringify(metadata), "application/json", { headers: { "cache-control": "max-age=300" } });
  },
});
