import type { Guard } from "../guard.js";
import { anyOf, callTool, isFunction, unguardable, withMember } from "../tools.js";

/** A tool of the OpenAI Agents SDK. Those of type `function` can be guarded. */
export interface AgentTool {
  readonly type: string;
  readonly name: string;
}

type Invoke = (context: unknown, input: string, details?: object) => Promise<unknown>;

/**
 * The same tools, each with a decision before it. A refusal is the tool's result. The end of the run rejects `run(…)`. Throws
 * for tools that OpenAI or somebody else runs.
 */
export function guardTools<T extends AgentTool>(guard: Guard, tools: readonly T[]): T[] {
  return tools.map((tool) => guardTool(guard, tool));
}

/** Options for `run(…)`: the end of the session ends the run, and no model is asked after it. */
export function runOptions(guard: Guard) {
  return {
    signal: guard.signal,
    async callModelInputFilter<D>({ modelData }: { readonly modelData: D }): Promise<D> {
      await guard.check();
      return modelData;
    },
  };
}

function guardTool<T extends AgentTool>(guard: Guard, tool: T): T {
  const { type, name, invoke } = tool as AgentTool & { readonly invoke?: Invoke };
  if (type !== "function" || !isFunction(invoke)) throw unguardable(name);
  /** Refusals that the schema of the tool's output does not know. */
  const refusals = new Set<unknown>();
  const guarded: Invoke = async (context, input, details = {}) => {
    const { signal: own } = details as { readonly signal?: AbortSignal };
    const outcome = await callTool(guard, name, argumentsOf(input), (signal) =>
      invoke.call(tool, context, input, withMember(details, "signal", anyOf(own, signal))),
    );
    if (!outcome.refused) return outcome.value;
    if ("outputSchema" in tool) refusals.add(outcome.message);
    return outcome.message;
  };
  const copy = withMember(tool, "invoke", guarded);
  for (const key of Object.getOwnPropertySymbols(copy)) {
    const check = (copy as Record<symbol, unknown>)[key];
    if (!isFunction(check)) continue;
    const value = (output: unknown, ...more: never[]) =>
      refusals.delete(output) ? output : check(output as never, ...more);
    Object.defineProperty(copy, key, { value, enumerable: true });
  }
  return copy;
}

/** The arguments that the model has written. What is no JSON is refused, as nothing that JSON could carry. */
function argumentsOf(input: string): unknown {
  try {
    return JSON.parse(input === "" ? "{}" : input);
  } catch {
    return Number.NaN;
  }
}
