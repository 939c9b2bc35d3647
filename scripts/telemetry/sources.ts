import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "./model.js";

/** Where a program runs, and what it is pointed at. */
export interface Bench {
  readonly home: string;
  readonly model: string;
  readonly receiver: string;
}

/** How a program is started. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A client or a library with its exact version, whose exports are recorded. */
export interface Source {
  readonly name: string;
  readonly versions: readonly string[];
  /** Packages of npm that are installed for it. */
  readonly packages: readonly string[];
  readonly calls?: readonly Call[];
  start(bench: Bench, folder: string): Start;
}

const SDK = ["@opentelemetry/api@1.10.0", "@opentelemetry/sdk-trace-node@2.12.1"].concat(
  ["http", "proto"].map((format) => `@opentelemetry/exporter-trace-otlp-${format}@0.301.0`),
);

/** A library that is used by a program here. */
const library = (
  name: string,
  packages: readonly string[],
  file: string,
  env: Record<string, string> = {},
): Source => ({
  name,
  versions: packages,
  packages: [...packages, ...SDK],
  start: ({ model, receiver }, folder) => ({
    command: NODE,
    args: [join(folder, `${file}.mjs`)],
    env: { MODEL: model, OTLP: receiver, WHICH: name, OTEL_SERVICE_NAME: "forecasts", ...env },
  }),
});

/** The newest Node: one of the libraries wants it. */
const NODE = "/opt/reeve-runtimes/node_modules/node/bin/node";
const OPENAI = "openai@6.49.0";
const INSTRUMENTATION = "@opentelemetry/instrumentation@0.223.0";
const ZOD = "zod@4.6.7";
const text = { text: "canary-argument" };
const shell = "echo canary-argument";

export const SOURCES: readonly Source[] = [
  {
    name: "claude-code",
    versions: ["@anthropic-ai/claude-code@2.1.332"],
    packages: [],
    calls: [
      { name: "Bash", input: { command: shell } },
      { name: "mcp__files__echo", input: text },
    ],
    start: (bench) => claude(bench, {}),
  },
  {
    name: "claude-code-details",
    versions: ["@anthropic-ai/claude-code@2.1.332"],
    packages: [],
    calls: [
      { name: "Bash", input: { command: shell } },
      { name: "mcp__files__echo", input: text },
    ],
    start: (bench) =>
      claude(bench, {
        ...{ OTEL_LOG_TOOL_DETAILS: "1", CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: "1" },
        ...{ OTEL_TRACES_EXPORTER: "otlp", OTEL_TRACES_EXPORT_INTERVAL: "500" },
      }),
  },
  {
    name: "codex",
    versions: ["@openai/codex@0.171.0"],
    packages: [],
    calls: [
      { name: "exec_command", input: { cmd: shell } },
      { name: "echo", namespace: "mcp__files", input: text },
    ],
    start: codex,
  },
  {
    name: "gemini-cli",
    versions: ["@google/gemini-cli@0.61.0"],
    packages: [],
    calls: [
      { name: "run_shell_command", input: { command: shell } },
      { name: "mcp_files_echo", input: text },
    ],
    start: gemini,
  },
  {
    name: "copilot",
    versions: ["@github/copilot@1.0.102"],
    packages: ["@github/copilot@1.0.102"],
    calls: [
      { name: "bash", input: { command: shell, description: "canary-description" } },
      { name: "files-echo", input: text },
    ],
    start: copilot,
  },
  library("ai-6", ["ai@6.0.326", "@ai-sdk/openai@3.0.141", ZOD], "ai-sdk"),
  library("ai-7", ["ai@7.0.173", "@ai-sdk/otel@1.0.173", "@ai-sdk/openai@4.0.118", ZOD], "ai-sdk"),
  library("ai-7-legacy", ["ai@7.0.173", "@ai-sdk/otel@1.0.173", "@ai-sdk/openai@4.0.118", ZOD], "ai-sdk"),
  library("ai-7-protobuf", ["ai@7.0.173", "@ai-sdk/otel@1.0.173", "@ai-sdk/openai@4.0.118", ZOD], "ai-sdk", {
    FORMAT: "proto",
  }),
  library("traceloop", ["@traceloop/instrumentation-openai@0.27.0", OPENAI, INSTRUMENTATION], "openai"),
  library("openinference", ["@arizeai/openinference-instrumentation-openai@4.2.7", OPENAI, INSTRUMENTATION], "openai"),
  library("opentelemetry", ["@opentelemetry/instrumentation-openai@0.22.0", OPENAI, INSTRUMENTATION], "openai"),
  library(
    "mastra",
    [
      ...["@mastra/core@1.71.0", "@mastra/observability@1.17.9", "@mastra/otel-exporter@1.4.0"],
      ...["@ai-sdk/openai@3.0.141", ZOD],
    ],
    "mastra",
  ),
];

/** An MCP server `files` with a tool `echo`, which stands beside the home. */
const argsIn = (home: string) => [join(home, "../files-server.mjs")];

const CLIENTS = "/opt/reeve-clients/node_modules";
const HEADERS = "Authorization=Bearer none";

function claude({ home, model, receiver }: Bench, more: Record<string, string>): Start {
  const servers = join(home, "mcp.json");
  writeFileSync(servers, JSON.stringify({ mcpServers: { files: { command: "node", args: argsIn(home) } } }));
  return {
    command: `${CLIENTS}/@anthropic-ai/claude-code-linux-x64/claude`,
    args: ["-p", "canary-prompt", "--mcp-config", servers, "--allowedTools", "Bash,mcp__files__echo"],
    env: {
      ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: "sk-ant-none", DISABLE_AUTOUPDATER: "1" },
      ...{ CLAUDE_CODE_ENABLE_TELEMETRY: "1", OTEL_LOGS_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "otlp" },
      ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_ENDPOINT: receiver },
      ...{ OTEL_LOGS_EXPORT_INTERVAL: "500", OTEL_METRIC_EXPORT_INTERVAL: "500", OTEL_EXPORTER_OTLP_HEADERS: HEADERS },
      ...more,
    },
  };
}

function codex({ home, model, receiver }: Bench): Start {
  const exporter = (signal: string) =>
    `{ otlp-http = { endpoint = "${receiver}/v1/${signal}", protocol = "json", headers = { Authorization = "Bearer none" } } }`;
  mkdirSync(join(home, ".codex"), { recursive: true });
  const settings = [
    'model = "scripted"',
    'model_provider = "scripted"',
    "[model_providers.scripted]",
    `name = "scripted"\nbase_url = "${model}/v1"\nwire_api = "responses"`,
    "[mcp_servers.files]",
    `command = "node"\nargs = ${JSON.stringify(argsIn(home))}`,
    "[otel]",
    `exporter = ${exporter("logs")}`,
    `trace_exporter = ${exporter("traces")}`,
    `metrics_exporter = ${exporter("metrics")}`,
  ];
  writeFileSync(join(home, ".codex/config.toml"), settings.join("\n"));
  const open = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
  return { command: `${CLIENTS}/.bin/codex`, args: ["exec", ...open, "canary-prompt"], env: {} };
}

function gemini({ home, model, receiver }: Bench): Start {
  mkdirSync(join(home, ".gemini"), { recursive: true });
  const telemetry = {
    ...{ enabled: true, target: "local", otlpEndpoint: receiver, otlpProtocol: "http", logPrompts: false },
  };
  const security = { auth: { selectedType: "gemini-api-key" } };
  const settings = { security, mcpServers: { files: { command: "node", args: argsIn(home) } }, telemetry };
  writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
  return {
    command: `${CLIENTS}/.bin/gemini`,
    args: ["--yolo", "-m", "gemini-2.5-flash", "-p", "canary-prompt"],
    env: {
      ...{ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true" },
      OTEL_EXPORTER_OTLP_HEADERS: HEADERS,
    },
  };
}

function copilot({ home, model, receiver }: Bench, folder: string): Start {
  mkdirSync(join(home, ".copilot"), { recursive: true });
  const files = { type: "local", command: "node", args: argsIn(home), tools: ["*"] };
  writeFileSync(join(home, ".copilot/mcp-config.json"), JSON.stringify({ mcpServers: { files } }));
  return {
    command: join(folder, "node_modules/.bin/copilot"),
    args: ["-p", "canary-prompt", "--allow-all-tools"],
    env: {
      ...{ COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: `${model}/v1`, COPILOT_PROVIDER_WIRE_API: "responses" },
      ...{ COPILOT_MODEL: "scripted-1", COPILOT_OTEL_ENABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: receiver },
      OTEL_EXPORTER_OTLP_HEADERS: HEADERS,
    },
  };
}
