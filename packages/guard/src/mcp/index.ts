import type { Guard } from "../guard.js";
import { RunEndedError } from "../run-ended.js";
import { anyOf, callTool, withMember } from "../tools.js";

/** The result of a call that was not made. */
export interface RefusedResult {
  readonly isError: true;
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly _meta: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A guard, or how to get the one for a request, such as by who has signed in. */
export type GuardOf<C> = Guard | ((context: C) => Guard | Promise<Guard>);

/** In `_meta` of a result: the refusal, or that the run has ended. */
export const META = "dev.reeve/guard";

/**
 * A handler for `registerTool` of an MCP server that asks before it runs. A refusal is a result with `isError`. So is the end of
 * the run, which only the client's host can carry out: its `_meta` says `ended`.
 */
export function guardHandler<A extends readonly unknown[], R>(
  guard: GuardOf<Last<A>>,
  name: string,
  handler: (...args: A) => R | Promise<R>,
): (...args: A) => Promise<R | RefusedResult> {
  return async (...given) => {
    const context = given.at(-1) as Last<A>;
    const input = given.length > 1 ? given[0] : {};
    try {
      const asked = typeof guard === "function" ? await guard(context) : guard;
      const outcome = await callTool(asked, name, input, (signal) =>
        handler(...([...given.slice(0, -1), cancelled(context, signal)] as unknown as A)),
      );
      return outcome.refused ? resultOf(outcome.message, outcome) : (outcome.value as R);
    } catch (error) {
      if (!RunEndedError.is(error)) throw error;
      return resultOf(error.message, { ended: true, status: error.status, reason: error.reason });
    }
  };
}

/** What a handler is given last: its context. */
export type Last<A extends readonly unknown[]> = A extends readonly [...unknown[], infer L] ? L : never;

const resultOf = (text: string, what: unknown): RefusedResult => ({
  isError: true,
  content: [{ type: "text", text }],
  _meta: { [META]: what },
});

/** The context of a request that the guard can cancel too. */
function cancelled(context: unknown, signal: AbortSignal): unknown {
  if (typeof context !== "object" || context === null) return context;
  const { mcpReq } = context as { readonly mcpReq?: { readonly signal?: AbortSignal } };
  return mcpReq ? withMember(context, "mcpReq", withMember(mcpReq, "signal", anyOf(mcpReq.signal, signal))) : context;
}
