type JsonObject = Readonly<Record<string, unknown>>;

/** A tool that a token opens at this moment. */
export interface OpenTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** What a tool gave, or why it was not called, as MCP tells it. */
export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly isError?: boolean;
}

export interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The same for repetitions of one call. */
  readonly idempotencyKey: string;
}

/** What the gateway asks the control plane. */
export interface Door {
  /** The tools of a token, or the status of its refusal: 401, 429, or 503 where it cannot be known. */
  tools(token: string, gone: AbortSignal): Promise<readonly OpenTool[] | number>;
  /** Has the control plane decide and call. A refusal is a failure of the tool, with the code of its reason. */
  call(token: string, call: ToolCall, gone: AbortSignal): Promise<ToolResult>;
}

/** Milliseconds until a call is given up. The control plane ends its own calls of servers before. */
const PATIENCE = 60_000;

interface Answer {
  readonly status: string | number;
  readonly result?: ToolResult;
  readonly error?: { readonly code: string; readonly message: string };
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
}

export function doorOf(reeve: string): Door {
  const send = (path: string, body: object, gone: AbortSignal) =>
    fetch(`${reeve}/api/v1/agent-tools/codehost/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.any([gone, AbortSignal.timeout(PATIENCE)]),
    });
  return {
    async tools(token, gone) {
      try {
        const answer = await send("tools", { token }, gone);
        if (answer.ok) return ((await answer.json()) as { tools: OpenTool[] }).tools;
        return answer.status === 401 || answer.status === 429 ? answer.status : 503;
      } catch {
        return 503;
      }
    },
    async call(token, call, gone) {
      try {
        const { status, result, error, ...problem } = (await (
          await send("execute", { token, ...call }, gone)
        ).json()) as Answer;
        if (status === "ok") return result ?? { content: [] };
        const code = error?.code ?? problem.code ?? "unavailable";
        return failure(code, error?.message ?? problem.detail ?? problem.title ?? "The call was refused.");
      } catch {
        return failure("outcome_unknown", "It may have happened. Look at the server before it is done again.");
      }
    },
  };
}

const failure = (code: string, text: string): ToolResult => ({
  isError: true,
  content: [{ type: "text", text: `${code}: ${text}` }],
});
