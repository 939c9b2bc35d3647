import type { Guard } from "../guard.js";
import { anyOf, callTool, isFunction, RefusedError, unguardable, withMember } from "../tools.js";

type Execute = (input: unknown, options: { readonly abortSignal?: AbortSignal }) => unknown;

/**
 * The same tools of the AI SDK, each with a decision before it. The model gets a refusal as the error of the tool. Throws for
 * tools without `execute`, which are run elsewhere.
 */
export function guardTools<T extends Readonly<Record<string, object>>>(guard: Guard, tools: T): T {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guardTool(guard, name, tool)])) as T;
}

/** Options for `generateText` and `streamText`: the end of the session ends the run, and no model is asked after it. */
export function runOptions(guard: Guard) {
  return {
    abortSignal: guard.signal,
    async prepareStep(): Promise<undefined> {
      await guard.check();
    },
  };
}

function guardTool<T extends object>(guard: Guard, name: string, tool: T): T {
  const { execute } = tool as { readonly execute?: Execute };
  if (!isFunction(execute)) throw unguardable(name);
  const guarded: Execute = async (input, options = {}) => {
    const outcome = await callTool(guard, name, input, (signal) =>
      execute.call(tool, input, { ...options, abortSignal: anyOf(options.abortSignal, signal) }),
    );
    if (outcome.refused) throw new RefusedError(outcome);
    return outcome.value;
  };
  return withMember(tool, "execute", guarded);
}
