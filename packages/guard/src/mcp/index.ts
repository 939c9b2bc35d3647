import type { CallOptions, Guard } from "../guard.js";
import type { Outcome } from "../refusal.js";
import { RunEndedError } from "../run-ended.js";
import { anyOf, callTool, withMember } from "../tools.js";
import { type ApprovalOptions, callAsking, type Make } from "./asking.js";
import type { InputRequired, RequestContext } from "./protocol.js";

export type { ApprovalOptions } from "./asking.js";
export type { InputRequired, RequestStateCodec } from "./protocol.js";

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
  return (...given) => answer(guard, given, (asked) => making(asked, name, handler, given)(given.at(-1), {}));
}

/**
 * A handler as `guardHandler` makes it, whose calls wait for approval inside the call: the client is told where it is decided,
 * and the tool runs once somebody else has approved it. Clients that cannot be asked get a refusal with the address.
 */
export function askingHandler<A extends readonly unknown[], R>(
  guard: GuardOf<Last<A>>,
  name: string,
  handler: (...args: A) => R | Promise<R>,
  approvals: ApprovalOptions,
): (...args: A) => Promise<R | RefusedResult | InputRequired> {
  return (...given) =>
    answer<Last<A>, R | InputRequired>(guard, given, async (asked) => {
      const context = given.at(-1) as RequestContext;
      const make: Make<R> = making(asked, name, handler, given);
      const outcome = await callAsking(approvals, { guard: asked, tool: name, args: inputOf(given), context }, make);
      return "resultType" in outcome ? { refused: false, value: outcome } : outcome;
    });
}

/** Finds the guard of a request, and gives what comes of the call in the form of the protocol. */
async function answer<C, R>(
  guard: GuardOf<C>,
  given: readonly unknown[],
  call: (guard: Guard) => Promise<Outcome<R>>,
): Promise<R | RefusedResult> {
  try {
    const outcome = await call(typeof guard === "function" ? await guard(given.at(-1) as C) : guard);
    return outcome.refused ? resultOf(outcome.message, outcome) : outcome.value;
  } catch (error) {
    if (!RunEndedError.is(error)) throw error;
    return resultOf(error.message, { ended: true, status: error.status, reason: error.reason });
  }
}

/** Makes a call of a handler by its guard, in a context. */
function making<A extends readonly unknown[], R>(
  guard: Guard,
  name: string,
  handler: (...args: A) => R | Promise<R>,
  given: A,
) {
  return (context: unknown, options: CallOptions) => {
    const run = (signal: AbortSignal) =>
      handler(...([...given.slice(0, -1), cancelled(context, signal)] as unknown as A));
    return callTool(guard, name, inputOf(given), run, options) as Promise<Outcome<R>>;
  };
}

/** The arguments, which a handler of a tool without any is not given. */
const inputOf = (given: readonly unknown[]): unknown => (given.length > 1 ? given[0] : {});

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
