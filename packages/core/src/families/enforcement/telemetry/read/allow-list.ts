import type { Condition, Dialect, Rule } from "./dialect-rules.js";

const CLAUDE_LOGS = ["com.anthropic.claude_code.events"];
const CLAUDE_SPANS = ["com.anthropic.claude_code.tracing"];
const ofClaude = (name: string): Condition => ["event.name", [name, `claude_code.${name}`]];
const ofCodex = (name: string): Condition => ["event.name", [`codex.${name}`]];
const ofGemini = (name: string): Condition => ["event.name", [`gemini_cli.${name}`]];
const operation = (...names: string[]): Condition => ["gen_ai.operation.name", names];

/** Names of the general conventions, which have changed over their versions. */
const GEN_AI = {
  model: ["gen_ai.request.model", "gen_ai.response.model"],
  input: ["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"],
  output: ["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"],
  cached: ["gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"],
  cacheWritten: ["gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens"],
  reasoning: ["gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens"],
  error: ["error.type"],
} as const;
/** Who makes the call. Copilot CLI and Gemini CLI name themselves there, so they are not asked. */
const AGENT = { agent: ["gen_ai.agent.name"] } as const;
const FUNCTION = { agent: ["ai.telemetry.functionId"] } as const;
/** An id of a response may come again in another trace, where a server of one's own counts from the start. */
const CALL_KEYS = [
  ["@trace", "@span"],
  ["@trace", "gen_ai.response.id"],
];
const TOOL_KEYS = [
  ["@trace", "@span"],
  ["@trace", "gen_ai.tool.call.id"],
];
const CALLS = operation("chat", "generate_content", "text_completion", "embeddings");
const RUN_KEYS = [["@trace", "@span"]];
const GEN_AI_REST: readonly Rule[] = [
  {
    kind: "run",
    when: [operation("invoke_agent", "invoke_workflow")],
    roles: { model: GEN_AI.model, ...AGENT },
    keys: RUN_KEYS,
  },
];
const AI_SDK_CALLS = ["generateText.doGenerate", "streamText.doStream", "generateObject.doGenerate"].concat(
  ...["streamObject.doStream", "embed.doEmbed", "embedMany.doEmbed"],
);
const AI_SDK_RUNS = ["generateText", "streamText", "generateObject", "streamObject", "embed", "embedMany"];

/**
 * Every attribute that is read, by what sends it. All others are dropped at the door: prompts, answers, arguments, results,
 * people, addresses and paths among them.
 */
export const DIALECTS: readonly Dialect[] = [
  {
    name: "claude_code",
    says: "service",
    triedWith: ["2.1.332"],
    signal: "logs",
    rules: [
      {
        kind: "model",
        scopes: CLAUDE_LOGS,
        when: [ofClaude("api_request")],
        roles: {
          ...{ model: ["model"], input: ["input_tokens"], output: ["output_tokens"], cached: ["cache_read_tokens"] },
          ...{ cacheWritten: ["cache_creation_tokens"], costUsd: ["cost_usd"], milliseconds: ["duration_ms"] },
        },
        lacks: { input: ["cached", "cacheWritten"] },
        keys: [["session.id", "event.sequence"]],
      },
      {
        kind: "model",
        scopes: CLAUDE_LOGS,
        when: [ofClaude("api_error")],
        roles: { model: ["model"], milliseconds: ["duration_ms"], httpStatus: ["status_code"] },
        only: "failures",
        keys: [["session.id", "event.sequence"]],
      },
      {
        kind: "tool",
        scopes: CLAUDE_LOGS,
        when: [ofClaude("tool_result")],
        roles: {
          tool: ["tool_parameters.mcp_tool_name", "tool_name"],
          server: ["tool_parameters.mcp_server_name"],
          milliseconds: ["duration_ms"],
          succeeded: ["success"],
        },
        // The rest of it are arguments.
        members: { tool_parameters: ["mcp_server_name", "mcp_tool_name"] },
        keys: [["session.id", "tool_use_id"]],
      },
      {
        kind: "tool",
        scopes: CLAUDE_LOGS,
        when: [ofClaude("tool_decision")],
        roles: {
          tool: ["tool_parameters.mcp_tool_name", "tool_name"],
          server: ["tool_parameters.mcp_server_name"],
          decision: ["decision"],
        },
        members: { tool_parameters: ["mcp_server_name", "mcp_tool_name"] },
        only: "refusals",
        keys: [["session.id", "tool_use_id"]],
      },
    ],
  },
  {
    name: "claude_code",
    says: "service",
    triedWith: ["2.1.332"],
    signal: "traces",
    rules: [{ kind: "aside", scopes: CLAUDE_SPANS, when: [] }],
  },
  {
    name: "codex",
    says: "service",
    triedWith: ["0.171.0"],
    signal: "logs",
    rules: [
      {
        kind: "model",
        when: [ofCodex("sse_event"), ["event.kind", ["response.completed"]]],
        roles: {
          ...{ model: ["model"], input: ["input_token_count"], output: ["output_token_count"] },
          ...{ cached: ["cached_token_count"], cacheWritten: ["cache_write_token_count"] },
          reasoning: ["reasoning_token_count"],
        },
        isTwice: true,
        keys: [["conversation.id", "@time"]],
      },
      {
        kind: "model",
        when: [ofCodex("api_request")],
        roles: { model: ["model"], milliseconds: ["duration_ms"], httpStatus: ["http.response.status_code"] },
        only: "failures",
        keys: [["conversation.id", "@time"]],
      },
      {
        kind: "tool",
        when: [ofCodex("tool_result")],
        roles: { tool: ["tool_name"], server: ["mcp_server"], milliseconds: ["duration_ms"], succeeded: ["success"] },
        keys: [["conversation.id", "call_id"]],
      },
      {
        kind: "tool",
        when: [ofCodex("tool_decision")],
        roles: { tool: ["tool_name"], decision: ["decision"] },
        only: "refusals",
        keys: [["conversation.id", "call_id"]],
      },
    ],
  },
  {
    name: "codex",
    says: "service",
    triedWith: ["0.171.0"],
    signal: "traces",
    rules: [{ kind: "aside", scopes: ["codex_exec", "codex_cli_rs", "codex-app-server", "codex_tui"], when: [] }],
  },
  {
    name: "gemini_cli",
    says: "nothing",
    triedWith: ["0.61.0"],
    signal: "logs",
    rules: [
      {
        kind: "model",
        when: [ofGemini("api_response")],
        roles: {
          ...{ model: ["model"], input: ["input_token_count"], output: ["output_token_count"] },
          ...{ cached: ["cached_content_token_count"], reasoning: ["thoughts_token_count"] },
          ...{ milliseconds: ["duration_ms"], httpStatus: ["status_code", "http.status_code"] },
        },
        lacks: { output: ["reasoning"] },
        keys: [["session.id", "prompt_id", "@time"]],
      },
      {
        kind: "model",
        when: [ofGemini("api_error")],
        roles: { model: ["model", "model_name"], milliseconds: ["duration_ms"], httpStatus: ["status_code"] },
        only: "failures",
        keys: [["session.id", "prompt_id", "@time"]],
      },
      {
        kind: "tool",
        when: [ofGemini("tool_call")],
        roles: {
          ...{ tool: ["function_name"], server: ["mcp_server_name"], milliseconds: ["duration_ms"] },
          ...{ succeeded: ["success"], decision: ["decision"] },
        },
        keys: [["session.id", "prompt_id", "function_name", "@time"]],
      },
      { kind: "aside", scopes: ["gemini-cli"], when: [["event.name", ["gen_ai.client.inference.operation.details"]]] },
    ],
  },
  {
    name: "gemini_cli",
    says: "nothing",
    triedWith: ["0.61.0"],
    signal: "traces",
    rules: [{ kind: "aside", scopes: ["gemini-cli"], when: [] }],
  },
  {
    name: "copilot",
    says: "service",
    triedWith: [],
    signal: "traces",
    rules: [
      {
        kind: "model",
        scopes: ["github.copilot"],
        when: [CALLS],
        roles: { provider: ["gen_ai.provider.name"], ...GEN_AI },
        keys: CALL_KEYS,
      },
      {
        kind: "tool",
        scopes: ["github.copilot"],
        when: [operation("execute_tool")],
        roles: {
          tool: ["gen_ai.tool.name"],
          server: ["github.copilot.tool.parameters.mcp_server_name_hash"],
          error: ["error.type"],
        },
        keys: TOOL_KEYS,
      },
    ],
  },
  {
    name: "ai_sdk",
    says: "scope",
    triedWith: ["ai 6.0.326", "ai 7.0.173 with @ai-sdk/otel 1.0.173 (LegacyOpenTelemetry)"],
    signal: "traces",
    rules: [
      {
        kind: "model",
        when: [["ai.operationId", AI_SDK_CALLS.map((name) => `ai.${name}`)]],
        roles: {
          ...GEN_AI,
          ...FUNCTION,
          model: ["gen_ai.request.model", "ai.model.id", "gen_ai.response.model"],
          provider: ["gen_ai.system", "ai.model.provider"],
          input: ["gen_ai.usage.input_tokens", "ai.usage.inputTokens"],
          output: ["gen_ai.usage.output_tokens", "ai.usage.outputTokens"],
          cached: ["ai.usage.cachedInputTokens"],
          reasoning: ["ai.usage.reasoningTokens"],
        },
        keys: CALL_KEYS,
      },
      {
        kind: "tool",
        when: [["ai.operationId", ["ai.toolCall"]]],
        roles: { tool: ["ai.toolCall.name"] },
        keys: [
          ["@trace", "@span"],
          ["@trace", "ai.toolCall.id"],
        ],
      },
      {
        kind: "run",
        when: [["ai.operationId", AI_SDK_RUNS.map((name) => `ai.${name}`)]],
        roles: { model: ["ai.model.id"], ...FUNCTION },
        keys: RUN_KEYS,
      },
    ],
  },
  {
    name: "openinference",
    says: "scope",
    triedWith: ["@arizeai/openinference-instrumentation-openai 4.2.7"],
    signal: "traces",
    rules: [
      {
        kind: "model",
        when: [["openinference.span.kind", ["LLM", "EMBEDDING"]]],
        roles: {
          ...{ model: ["llm.model_name", "embedding.model_name"], provider: ["llm.provider", "llm.system"] },
          ...{ input: ["llm.token_count.prompt"], output: ["llm.token_count.completion"] },
          cached: ["llm.token_count.prompt_details.cache_read"],
          cacheWritten: ["llm.token_count.prompt_details.cache_write"],
          reasoning: ["llm.token_count.completion_details.reasoning"],
        },
        keys: [["@trace", "@span"]],
      },
      {
        kind: "tool",
        when: [["openinference.span.kind", ["TOOL"]]],
        roles: { tool: ["tool.name"] },
        keys: [["@trace", "@span"]],
      },
      { kind: "run", when: [["openinference.span.kind", ["AGENT"]]], keys: RUN_KEYS },
    ],
  },
  {
    name: "gen_ai_1_37",
    says: "scope",
    triedWith: [
      "ai 7.0.173 with @ai-sdk/otel 1.0.173",
      "@traceloop/instrumentation-openai 0.27.0",
      "@opentelemetry/instrumentation-openai 0.22.0",
    ],
    signal: "traces",
    rules: [
      {
        kind: "model",
        when: [CALLS, ["gen_ai.provider.name", null]],
        roles: { provider: ["gen_ai.provider.name"], ...GEN_AI, ...AGENT },
        keys: CALL_KEYS,
      },
      {
        kind: "tool",
        when: [operation("execute_tool")],
        roles: { tool: ["gen_ai.tool.name"], server: ["mcp.server.name"], error: ["error.type"], ...AGENT },
        keys: TOOL_KEYS,
      },
      ...GEN_AI_REST,
    ],
  },
  {
    name: "gen_ai",
    says: "scope",
    triedWith: ["@opentelemetry/instrumentation-openai 0.22.0"],
    signal: "traces",
    rules: [{ kind: "model", when: [CALLS], roles: { provider: ["gen_ai.system"], ...GEN_AI }, keys: CALL_KEYS }],
  },
];
