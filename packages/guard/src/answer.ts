type Json = Readonly<Record<string, unknown>>;

/** An obligation of a decision, as Reeve states it. */
export interface Obligation extends Json {
  readonly type: string;
}

/** A decision as far as the guard reads it. */
export interface Verdict {
  readonly status: "allow" | "deny" | "require_approval";
  readonly id: string;
  /** The reasons in words. */
  readonly why: string;
  /** Whether a state of the agent, the session or the tool denies it, and no policy. */
  readonly byState: boolean;
  readonly obligations: readonly Obligation[];
  readonly approval: { readonly id: string; readonly status: string } | undefined;
}

const STATUSES = ["allow", "deny", "require_approval"];
/** Reasons that come from rules, and not from a state. */
const OF_RULES = /^(policy_|tool_approval$|default$)/;

/** Reads a decision. `undefined` for whatever is not exactly one: it is no permission then. */
export function verdictOf(answer: unknown): Verdict | undefined {
  const { decision, context, ...top } = record(answer) ?? {};
  // AuthZEN has all of it in the context; a decision in process has id and status beside it.
  const { id, status, reasons, obligations, approval } = { ...top, ...record(context) } as Json;
  const isKnown = typeof status === "string" && STATUSES.includes(status) && decision === (status === "allow");
  if (!isKnown || typeof id !== "string" || !isListOf(reasons) || !isListOf(obligations)) return undefined;
  if (!obligations.every(({ type }) => typeof type === "string")) return undefined;
  const { id: approvalId, status: approvalStatus } = record(approval) ?? {};
  return {
    status: status as Verdict["status"],
    id,
    why: [...new Set(reasons.map(({ message }) => String(message ?? "")))].join(" "),
    byState: reasons.some(({ code }) => !OF_RULES.test(String(code))),
    obligations: obligations as readonly Obligation[],
    approval: typeof approvalId === "string" ? { id: approvalId, status: String(approvalStatus) } : undefined,
  };
}

/** The object in a value. */
export function record(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

const isListOf = (value: unknown): value is readonly Json[] =>
  Array.isArray(value) && value.every((item) => record(item) !== undefined);
