import type { Guard } from "../guard.js";
import { anyOf, callTool, isFunction, unguardable } from "../tools.js";

type Call = (args: unknown, manager?: unknown, config?: { readonly signal?: AbortSignal }) => unknown;

/**
 * The same tools of `@langchain/core`, each with a decision before it. A refusal is the tool's result. Throws for tools that
 * the model's provider runs.
 */
export function guardTools<T extends object>(guard: Guard, tools: readonly T[]): T[] {
  return tools.map((tool) => guardTool(guard, tool));
}

/** Options for `invoke` and `stream` of an agent or graph: the end of the session ends the run. */
export function runOptions(guard: Guard) {
  return { signal: guard.signal };
}

/** Middleware for `createAgent` of `langchain`: no model is asked after the end of the session. */
export function guardMiddleware(guard: Guard) {
  return {
    name: "reeve-guard",
    async beforeModel(): Promise<undefined> {
      await guard.check();
    },
  };
}

function guardTool<T extends object>(guard: Guard, tool: T): T {
  const { name, _call: call, responseFormat } = tool as { name?: unknown; _call?: Call; responseFormat?: unknown };
  if (typeof name !== "string" || !isFunction(call)) throw unguardable(name);
  const value: Call = async (args, manager, config) => {
    const outcome = await callTool(guard, name, args, (signal) =>
      call.call(tool, args, manager, { ...config, signal: anyOf(config?.signal, signal) }),
    );
    if (!outcome.refused) return outcome.value;
    return responseFormat === "content_and_artifact" ? [outcome.message, outcome] : outcome.message;
  };
  return Object.create(tool, { _call: { value } }) as T;
}
