import { runEndedOf } from "@reeve/guard";
import { guardTools, runOptions } from "@reeve/guard/mastra";
import { type Driver, SCHEMAS, TOOL_NAMES } from "../story/driver.js";
import { ScriptedV3 } from "./scripted-v3.js";

/** The members of `@mastra/core` that are used. It needs Node 22, and so has no types here. */
export interface MastraCore {
  // biome-ignore lint/suspicious/noExplicitAny: the library of a later Node
  readonly [name: string]: any;
}

/** An agent of Mastra, whose run is taken whole or as a stream. */
export function mastra(library: MastraCore, version: string, how: "generate" | "stream" = "generate"): Driver {
  return {
    name: `@mastra/core ${version}`,
    async play(guard, calls, tools) {
      const model = new ScriptedV3(calls, tools);
      const own = Object.fromEntries(
        TOOL_NAMES.map((name) => [
          name,
          library.createTool({
            id: name,
            description: name,
            inputSchema: SCHEMAS[name],
            execute: (args: object, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) =>
              tools.run(name, args, abortSignal),
          }),
        ]),
      );
      const agent = new library.Agent({
        ...{ id: "teller", name: "Teller", instructions: "Do it.", model },
        tools: guardTools(guard, own),
      });
      let ended: unknown;
      try {
        const run = await agent[how]("Do it.", { maxSteps: 10, ...runOptions(guard) });
        if (how === "stream") await run.consumeStream();
      } catch (error) {
        ended = runEndedOf(error) ?? error;
      }
      // Mastra resolves a run that was cut off, and says why by the signal alone.
      return { told: model.told, modelCalls: model.modelCalls, ended: ended ?? endOf(guard.signal) };
    },
  };
}

const endOf = (signal: AbortSignal): unknown => (signal.aborted ? signal.reason : undefined);
