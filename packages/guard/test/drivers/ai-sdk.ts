import { runEndedOf } from "@reeve/guard";
import { guardTools, runOptions } from "@reeve/guard/ai-sdk";
import { type Driver, SCHEMAS, TOOL_NAMES } from "../story/driver.js";
import { ScriptedV3 } from "./scripted-v3.js";

/** The members of `ai` that are used, of each version that is tried. */
export interface AiSdk {
  // biome-ignore lint/suspicious/noExplicitAny: versions differ, and the later one is not installed for Node 20
  readonly [name: string]: any;
}

/** An agent of the AI SDK: `generateText` with as many steps as it takes. */
export function aiSdk(library: AiSdk, version: string): Driver {
  return {
    name: `ai ${version}`,
    async play(guard, calls, tools) {
      const model = new ScriptedV3(calls, tools);
      const own = Object.fromEntries(
        TOOL_NAMES.map((name) => [
          name,
          library.tool({
            description: name,
            inputSchema: SCHEMAS[name],
            execute: (args: object, { abortSignal }: { readonly abortSignal?: AbortSignal }) =>
              tools.run(name, args, abortSignal),
          }),
        ]),
      );
      let ended: unknown;
      try {
        await library.generateText({
          ...{ model, prompt: "Do it.", stopWhen: library.stepCountIs(10) },
          tools: guardTools(guard, own),
          ...runOptions(guard),
        });
      } catch (error) {
        ended = runEndedOf(error) ?? error;
      }
      return { told: model.told, modelCalls: model.modelCalls, ended };
    },
  };
}
