import { SessionBlockedError, type SessionGuard } from "@reeve/core";
import type { Planner, Step } from "./planner.js";
import type { ToolCall, Tools } from "./tools.js";

/** How a run of the agent ended. */
export type Outcome =
  | { readonly ended: "done"; readonly steps: readonly Step[] }
  | { readonly ended: "blocked"; readonly by: SessionBlockedError; readonly steps: readonly Step[] };

interface Run {
  readonly guard: SessionGuard;
  readonly tools: Tools;
  readonly planner: Planner;
  /** Called before every call of a tool. */
  readonly onCall?: (call: ToolCall) => void;
}

/**
 * The loop: ask the planner, call the tool, repeat. Every round is checked and counted, and every call goes through the
 * guard. The loop ends as soon as the session may not go on.
 */
export async function runAgent({ guard, tools, planner, onCall }: Run): Promise<Outcome> {
  const steps: Step[] = [];
  const callTool = guard.wrapTool(({ signal }, call: ToolCall) => tools.call(call, signal));
  try {
    for (;;) {
      await guard.check();
      guard.record({ iterations: 1 });
      const call = planner(steps);
      if (!call) return { ended: "done", steps };
      onCall?.(call);
      steps.push({ call, result: await callTool(call) });
    }
  } catch (error) {
    if (SessionBlockedError.is(error)) return { ended: "blocked", by: error, steps };
    throw error;
  }
}
