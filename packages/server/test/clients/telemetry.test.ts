import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newInstallation } from "@reeve/testkit";
import { program } from "@reeve/testkit/programs";
import { describe, expect, it } from "vitest";
import { hasNamespaces, Machine } from "./machine.js";
import { scriptedModel } from "./scripted-model.js";
import { Service } from "./service.js";

const installed = "/opt/reeve-clients/node_modules";
const marksServer = fileURLToPath(new URL("./marks-server.mjs", import.meta.url));

interface Target {
  readonly model: string;
  readonly endpoint: string;
  readonly credential: string;
}

/** How a client is pointed at Reeve, as the guide says. */
interface Client {
  readonly client: string;
  readonly found: ReturnType<typeof program>;
  readonly tool: { readonly name: string; readonly namespace?: string };
  start(machine: Machine, path: string, target: Target): Promise<string>;
}

const CLIENTS: readonly Client[] = [
  {
    client: "claude-code",
    found: program(
      "claude",
      "npm:@anthropic-ai/claude-code@2.1.332",
      `${installed}/@anthropic-ai/claude-code-linux-x64`,
    ),
    tool: { name: "mcp__marks__mark" },
    start(machine, path, { model, endpoint, credential }) {
      const servers = join(machine.home, "mcp.json");
      writeFileSync(servers, JSON.stringify({ mcpServers: { marks: { command: "node", args: [marksServer] } } }));
      return machine.run(path, ["-p", "Begin.", "--mcp-config", servers, "--allowedTools", "mcp__marks__mark"], {
        ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: "sk-ant-none", DISABLE_AUTOUPDATER: "1" },
        ...{ CLAUDE_CODE_ENABLE_TELEMETRY: "1", OTEL_LOGS_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "otlp" },
        ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
        ...{ OTEL_EXPORTER_OTLP_COMPRESSION: "gzip", OTEL_LOG_TOOL_DETAILS: "1" },
        OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer ${credential}`,
      });
    },
  },
  {
    client: "codex",
    found: program("codex", "npm:@openai/codex@0.171.0", `${installed}/.bin`),
    tool: { name: "mark", namespace: "mcp__marks" },
    start(machine, path, { model, endpoint, credential }) {
      const headers = `{ Authorization = "Bearer ${credential}" }`;
      const exporter = `{ otlp-http = { endpoint = "${endpoint}/v1/logs", protocol = "binary", headers = ${headers} } }`;
      const settings = [
        'model = "scripted"\nmodel_provider = "scripted"',
        `[model_providers.scripted]\nname = "scripted"\nbase_url = "${model}/v1"\nwire_api = "responses"`,
        `[mcp_servers.marks]\ncommand = "node"\nargs = ${JSON.stringify([marksServer])}`,
        `[otel]\nexporter = ${exporter}`,
      ];
      mkdirSync(join(machine.home, ".codex"), { recursive: true });
      writeFileSync(join(machine.home, ".codex/config.toml"), settings.join("\n"));
      const open = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return machine.run(path, ["exec", ...open, "Begin."], {});
    },
  },
  {
    client: "gemini-cli",
    found: program("gemini", "npm:@google/gemini-cli@0.61.0", `${installed}/.bin`),
    tool: { name: "mcp_marks_mark" },
    start(machine, path, { model, endpoint, credential }) {
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" } },
        mcpServers: { marks: { command: "node", args: [marksServer] } },
        telemetry: { enabled: true, target: "local", otlpProtocol: "http", otlpEndpoint: endpoint, logPrompts: false },
      };
      mkdirSync(join(machine.home, ".gemini"), { recursive: true });
      writeFileSync(join(machine.home, ".gemini/settings.json"), JSON.stringify(settings));
      return machine.run(path, ["--yolo", "-m", "gemini-2.5-flash", "-p", "Begin."], {
        ...{ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true" },
        OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer ${credential}`,
      });
    },
  },
];

describe.each(CLIENTS)("telemetry of $client", ({ client, found, tool, start }) => {
  const note = hasNamespaces ? found.note : " – skipped: programs cannot be given an /etc of their own here";

  it.skipIf(found.path === undefined || !hasNamespaces)(`is counted as it comes over the network${note}`, async () => {
    const { service, scene } = await Service.start();
    const { id, credential } = await newInstallation(scene, client);
    const machine = new Machine();
    const model = await scriptedModel(async (results) =>
      results.length === 0 ? { ...tool, input: { file: machine.mark("m") } } : undefined,
    );
    const target = { model, endpoint: `${service.url}/api/v1/otlp`, credential };
    const printed = await start(machine, found.path ?? "", target);
    expect(machine.takeMark("m"), printed).toBe(true);
    const read = async (path: string) => (await scene.send("GET", `/api/v1${path}`, { token: scene.owner.token })).json;
    const { totals, items } = await read(`/ai/usage?groupBy=tool&installationId=${id}`);
    // The model says one token read and one written of each call.
    expect(totals, printed).toMatchObject({ modelCalls: 2, toolCalls: 1, failed: 0 });
    const two = { sum: 2, unknownCalls: 0 };
    expect([totals.tokens.input, totals.tokens.output]).toEqual([two, two]);
    expect(items).toContainEqual(expect.objectContaining({ key: "mark", server: "marks", toolCalls: 1 }));
    const [day] = (await read(`/ai/telemetry?installationId=${id}`)).items;
    expect(day.dialects).toEqual([
      { name: client.replace("-", "_"), version: client === "gemini-cli" ? null : expect.any(String) },
    ]);
  });
});
