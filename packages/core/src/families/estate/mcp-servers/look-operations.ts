import { z } from "zod";
import { ById } from "../../../kernel/crud.js";
import { defineOperation } from "../../../kernel/operation.js";
import { MCP_FAILURES, type McpFailureCode } from "../../../ports/mcp.js";
import { connectorOf, lookAt, together } from "./look.js";
import { McpServer, mcpServers } from "./schema.js";
import { settleProbe } from "./settle-probe.js";
import { settleScan } from "./settle-scan.js";

export const PATH = "/api/v1/ai/mcp-servers/{id}";
const access = { permission: "mcp-server:scan", capability: "ai_registry" } as const;
const shared = {
  method: "POST",
  tag: "MCP Registry",
  access,
  extension: true,
  params: ById,
  effect: "own",
  dear: true,
  errors: ["not_configured", "concurrent_modification", "secret_unavailable", "precondition_failed"],
  killSwitches: ["ai.all", "ai.mcp"],
} as const;

const Failure = z
  .object({
    code: z.enum(Object.keys(MCP_FAILURES) as [McpFailureCode, ...McpFailureCode[]]),
    reason: z
      .string()
      .meta({ description: "One more word of a fixed vocabulary. Nothing the server has said.", example: "http_404" }),
  })
  .nullable()
  .meta({ description: "Why the look failed; `null` when it did not." });

const Probe = z
  .object({ outcome: z.enum(["ok", "failed"]), error: Failure, server: McpServer })
  .meta({ id: "McpServerProbe" });

const Names = (description: string) => z.array(z.string()).meta({ description });

const Scan = z
  .object({
    outcome: z.enum(["ok", "failed"]),
    error: Failure,
    tools: z.object({
      added: Names("New ones, which wait for review."),
      changed: Names("Approved ones that say something else now."),
      removed: Names("Ones the server has no more."),
      restored: Names("Ones that are back, or say again what was approved."),
    }),
    server: McpServer,
  })
  .meta({ id: "McpServerScan", description: "A scan that failed has changed no tool and no approval." });

export const probeServer = defineOperation({
  ...shared,
  id: "mcpServers.probe",
  path: `${PATH}/probe`,
  summary: "Ask an MCP server for a sign of life",
  description: "What comes of it stands in `connection`, which is no part of the server's approval.",
  success: { status: 200, schema: Probe },
  async handler(ctx, { params }) {
    connectorOf(ctx.env);
    const server = await ctx.target(mcpServers, params.id);
    return together(ctx.env, `probe ${ctx.principal.tenantId} ${server.id}`, async () => {
      const look = await lookAt(ctx, server, "probe");
      const { failure = null, server: after } = await ctx.write((inner) => settleProbe(inner, look, true));
      return { outcome: failure ? "failed" : "ok", error: failure, server: after };
    });
  },
});

export const scanServer = defineOperation({
  ...shared,
  id: "mcpServers.scan",
  path: `${PATH}/scan`,
  summary: "Look at everything an MCP server offers",
  description:
    "New tools wait for review, and approved ones that say something else are `changed`. A scan that fails changes nothing but the connection. Scans of one server that are asked for at the same time are one.",
  success: { status: 200, schema: Scan },
  async handler(ctx, { params }) {
    connectorOf(ctx.env);
    const server = await ctx.target(mcpServers, params.id);
    return together(ctx.env, `scan ${ctx.principal.tenantId} ${server.id}`, async () => {
      const look = await lookAt(ctx, server, "scan");
      const { failure = null, followed, server: after } = await ctx.write((inner) => settleScan(inner, look, true));
      const { added, changed, removed, restored } = followed;
      return {
        outcome: failure ? "failed" : "ok",
        error: failure,
        tools: {
          added: namesOf(added),
          changed: namesOf(changed),
          removed: namesOf(removed),
          restored: namesOf(restored),
        },
        server: after,
      };
    });
  },
});

const namesOf = (tools: readonly { readonly toolName: string | null }[]) => tools.map(({ toolName }) => toolName ?? "");
