import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { MCP_FAILURES, type McpFailure, type McpFailureCode } from "#ports/mcp.js";
import { z } from "#schema/z.js";
import { recordScan } from "../manifest/record-scan.js";
import { McpServer } from "../schema.js";
import { recordProbe } from "./record-probe.js";
import { runSharedProbe } from "./run-probe.js";

export const PATH = "/api/v1/ai/mcp-servers/{id}";
const access = { permission: "mcp-server:scan", capability: "ai_registry" } as const;
const shared = {
  method: "POST",
  tag: "MCP Registry",
  access,
  extension: true,
  params: ById,
  expensive: true,
  errors: ["not_configured", "concurrent_modification", "secret_unavailable", "precondition_failed"],
  killSwitches: ["ai.all", "ai.mcp", "connectors.outbound"],
} as const;

const Failure = z
  .object({
    code: z
      .enum(Object.keys(MCP_FAILURES) as [McpFailureCode, ...McpFailureCode[]])
      .meta({ description: "What kind of failure." }),
    reason: z
      .string()
      .meta({ description: "One more word of a fixed vocabulary. Nothing the server has said.", example: "http_404" }),
  })
  .nullable()
  .meta({ description: "Why the call failed; `null` when it did not." });

const outcome = z.enum(["ok", "failed"]).meta({ description: "Whether the server answered as it should." });

const Probed = z
  .intersection(
    McpServer,
    z.object({ probe: z.object({ outcome, error: Failure }).meta({ description: "The result of this probe." }) }),
  )
  .meta({ id: "McpServerProbe", description: "The server as the probe has left it." });

const Names = (description: string) => z.array(z.string()).meta({ description });

const Scanned = z
  .intersection(
    McpServer,
    z.object({
      scan: z
        .object({
          outcome,
          error: Failure,
          added: Names("New tools, which wait for review."),
          changed: Names("Approved ones that say something else now."),
          removed: Names("Ones the server has no more."),
          restored: Names("Ones that are back, or say again what was approved."),
        })
        .meta({ description: "The result of this scan." }),
    }),
  )
  .meta({
    id: "McpServerScan",
    description: "The server as the scan has left it. One that failed has changed no tool and no approval.",
  });

export const probeServer = defineOperation({
  ...shared,
  id: "mcpServers.probe",
  path: `${PATH}/probe`,
  summary: "Ask an MCP server for a sign of life",
  description: "What comes of it stands in `connection`, which is no part of the server's approval.",
  success: { status: 200, schema: Probed },
  prepare: (ctx, { params }) => runSharedProbe(ctx, params.id, "probe"),
  async handler(ctx, _input, run) {
    const { failure, server } = await recordProbe(ctx, run, true);
    return { ...server, probe: outcomeOf(failure) };
  },
});

export const scanServer = defineOperation({
  ...shared,
  id: "mcpServers.scan",
  path: `${PATH}/scan`,
  summary: "Scan everything an MCP server offers",
  description:
    "New tools wait for review, and approved ones that say something else are `changed`. A scan that fails changes nothing but the connection. Scans of one server that are asked for at the same time are one.",
  success: { status: 200, schema: Scanned },
  prepare: (ctx, { params }) => runSharedProbe(ctx, params.id, "scan"),
  async handler(ctx, _input, run) {
    const { failure, followed, server } = await recordScan(ctx, run, true);
    const { added, changed, removed, restored } = followed;
    const tools = {
      added: namesOf(added),
      changed: namesOf(changed),
      removed: namesOf(removed),
      restored: namesOf(restored),
    };
    return { ...server, scan: { ...outcomeOf(failure), ...tools } };
  },
});

const outcomeOf = (failure: McpFailure | undefined) =>
  failure ? ({ outcome: "failed", error: failure } as const) : ({ outcome: "ok", error: null } as const);

const namesOf = (tools: readonly { readonly toolName: string | null }[]) => tools.map(({ toolName }) => toolName ?? "");
