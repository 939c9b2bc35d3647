import { type ScriptedCall, type Tools, textOf } from "../story/driver.js";

interface Prompt {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
}

/** A scripted model of the third specification of the AI SDK, which Mastra takes too. */
export class ScriptedV3 {
  readonly specificationVersion = "v3";
  readonly provider = "scripted";
  readonly modelId = "scripted";
  readonly supportedUrls = {};
  told: string[] = [];
  modelCalls = 0;

  constructor(
    readonly calls: readonly ScriptedCall[],
    readonly tools: Tools,
  ) {}

  async doGenerate({ prompt }: Prompt) {
    const answers = prompt.flatMap(({ role, content }) => (role === "tool" ? (content as ToolResult[]) : []));
    this.told = answers.map(({ output: { type, value } }) =>
      type.endsWith("json") && typeof value !== "string" ? JSON.stringify(value) : String(value),
    );
    const call = this.calls[this.modelCalls];
    this.modelCalls += 1;
    await this.tools.asked();
    const toolCallId = `call-${this.modelCalls}`;
    const part = call
      ? ({ type: "tool-call", toolCallId, toolName: call.tool, input: textOf(call) } as const)
      : ({ type: "text", text: "done" } as const);
    const unified: "tool-calls" | "stop" = call ? "tool-calls" : "stop";
    return { content: [part], finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
  }

  async doStream(options: Prompt) {
    const { content, finishReason, usage } = await this.doGenerate(options);
    const [part] = content;
    const parts =
      part?.type === "text"
        ? [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta: part.text },
            { type: "text-end", id: "1" },
          ]
        : [part];
    const stream = ReadableStream.from([
      { type: "stream-start", warnings: [] },
      ...parts,
      { type: "finish", finishReason, usage },
    ]);
    // biome-ignore lint/suspicious/noExplicitAny: parts of a stream, as the specification has them
    return { stream: stream as ReadableStream<any> };
  }
}

interface ToolResult {
  readonly output: { readonly type: string; readonly value: unknown };
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
