import { type Guard, runEndedOf } from "@reeve/guard";
import { guardTools, runOptions } from "@reeve/guard/openai-agents";
import { z } from "zod";
import { type Driver, SCHEMAS, type ScriptedCall, TOOL_NAMES, Tools, textOf } from "../story/driver.js";

/** The members of `@openai/agents` that are used. It is not installed for Node 20, and so has no types here. */
export interface OpenAiAgents {
  // biome-ignore lint/suspicious/noExplicitAny: the library of a later Node
  readonly [name: string]: any;
}

interface ModelRequest {
  readonly input: string | readonly { readonly type?: string; readonly output?: string | { readonly text: string } }[];
}

/** A scripted model of the OpenAI Agents SDK. */
export class ScriptedOpenAi {
  told: string[] = [];
  modelCalls = 0;

  constructor(
    readonly library: OpenAiAgents,
    readonly calls: readonly ScriptedCall[],
    readonly tools: Tools,
  ) {}

  async getResponse({ input }: ModelRequest) {
    const items = typeof input === "string" ? [] : input;
    this.told = items.flatMap(({ type, output = "" }) =>
      type === "function_call_result" ? [typeof output === "string" ? output : output.text] : [],
    );
    const call = this.calls[this.modelCalls];
    this.modelCalls += 1;
    await this.tools.asked();
    const said = { type: "output_text", text: "done" };
    const asked = { type: "function_call", callId: `call-${this.modelCalls}`, status: "completed" };
    const output = call
      ? { ...asked, name: call.tool, arguments: textOf(call) }
      : { type: "message", role: "assistant", status: "completed", content: [said] };
    return { usage: new this.library.Usage(), output: [output] };
  }

  async *getStreamedResponse(request: ModelRequest) {
    const { output } = await this.getResponse(request);
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    yield { type: "response_done", response: { id: `answer-${this.modelCalls}`, usage, output } };
  }
}

/** An agent of the OpenAI Agents SDK, whose run is taken whole or as a stream. */
export function openAiAgents(library: OpenAiAgents, version: string, stream = false): Driver {
  library.setTracingDisabled(true);
  return {
    name: `@openai/agents ${version}`,
    async play(guard, calls, tools) {
      const model = new ScriptedOpenAi(library, calls, tools);
      const own = TOOL_NAMES.map((name) =>
        library.tool({
          name,
          description: name,
          parameters: SCHEMAS[name],
          execute: (args: object, _context: unknown, details?: { readonly signal?: AbortSignal }) =>
            tools.run(name, args, details?.signal),
        }),
      );
      const agent = new library.Agent({ name: "Teller", model, tools: guardTools(guard, own) });
      let ended: unknown;
      try {
        const run = await library.run(agent, "Do it.", { stream, ...runOptions(guard) });
        if (stream) await run.completed;
        guard.signal.throwIfAborted();
      } catch (error) {
        ended = runEndedOf(error) ?? error;
      }
      return { told: model.told, modelCalls: model.modelCalls, ended };
    },
  };
}

/** What the model is told of a refusal that the schema of the tool's output does not know. */
export async function refusedBesideSchema(library: OpenAiAgents, guard: Guard): Promise<readonly string[]> {
  const model = new ScriptedOpenAi(library, [{ tool: "wire", args: { amount: 1 } }], new Tools());
  const wire = library.tool({
    ...{ name: "wire", description: "Wires money", parameters: SCHEMAS.wire, execute: () => ({ isDone: true }) },
    outputSchema: z.object({ isDone: z.boolean() }),
  });
  await library.run(new library.Agent({ name: "Teller", model, tools: guardTools(guard, [wire]) }), "Do it.");
  return model.told;
}
