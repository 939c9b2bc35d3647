import { runEndedOf } from "@reeve/guard";
import { guardTools, runOptions } from "@reeve/guard/ai-sdk";
import { type Driver, SCHEMAS, TOOL_NAMES } from "../story/driver.js";
import { ScriptedV3 } from "./scripted-v3.js";

/** The members of `ai` that are used, of each version that is tried. */
export interface AiSdk {
  // biome-ignore lint/suspicious/noExplicitAny: versions differ, and the later one is not installed for Node 20
  readonly [name: string]: any;
}

/** An agent of the AI SDK, with as many steps as it takes: by `generateText`, or by `streamText`. */
export function aiSdk(library: AiSdk, version: string, how: "generateText" | "streamText" = "generateText"): Driver {
  return {
    name: `${how} of ai ${version}`,
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
        const run = await library[how]({
          ...{ model, prompt: "Do it.", stopWhen: library.stepCountIs(10) },
          tools: guardTools(guard, own),
          ...runOptions(guard),
          onError: () => undefined,
        });
        // A stream that was cut off ends, and says why by the signal alone.
        if (how === "streamText") await run.consumeStream();
        guard.signal.throwIfAborted();
      } catch (error) {
        ended = runEndedOf(error) ?? error;
      }
      return { told: model.told, modelCalls: model.modelCalls, ended };
    },
  };
}
