import type { Guard } from "../guard.js";
import { anyOf, callTool, isFunction, RefusedError, unguardable, withMember } from "../tools.js";

type Execute = (input: unknown, context?: { readonly abortSignal?: AbortSignal }) => unknown;

/**
 * The same tools of Mastra, each with a decision before it, by the names that the model knows. The model gets a refusal as the
 * error of the tool. Throws for tools without `execute`.
 */
export function guardTools<T extends Readonly<Record<string, object>>>(guard: Guard, tools: T): T {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guardTool(guard, name, tool)])) as T;
}

/** Options for `generate` and `stream` of an agent: the end of the session ends the run. */
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
  const guarded: Execute = async (input, context = {}) => {
    const outcome = await callTool(guard, name, input, (signal) =>
      execute.call(tool, input, withMember(context, "abortSignal", anyOf(context.abortSignal, signal))),
    );
    if (outcome.refused) throw new RefusedError(outcome);
    return outcome.value;
  };
  return withMember(tool, "execute", guarded);
}
