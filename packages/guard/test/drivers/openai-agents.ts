import { runEndedOf } from "@reeve/guard";
import { guardTools, runOptions } from "@reeve/guard/openai-agents";
import { type Driver, SCHEMAS, type ScriptedCall, TOOL_NAMES, type Tools, textOf } from "../story/driver.js";

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
}

/** An agent of the OpenAI Agents SDK. */
export function openAiAgents(library: OpenAiAgents, version: string): Driver {
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
        await library.run(agent, "Do it.", runOptions(guard));
      } catch (error) {
        ended = runEndedOf(error) ?? error;
      }
      return { told: model.told, modelCalls: model.modelCalls, ended };
    },
  };
}
