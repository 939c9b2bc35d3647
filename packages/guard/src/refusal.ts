/** Why a tool was not run. */
export type RefusalCode =
  /** A decision of Reeve. */
  | "denied"
  /** Somebody has to approve this very call first. */
  | "waits_for_approval"
  /** Somebody has refused it, or nobody has decided in time. */
  | "approval_refused"
  /** The user of the client wants the call no longer. */
  | "declined"
  /** What the client sent back is of another call, was changed, or has expired. */
  | "invalid_request_state"
  /** JSON cannot carry the arguments, or they changed while the decision was made. */
  | "invalid_arguments"
  /** The decision asks for something that this host does not know how to do. */
  | "obligation_not_understood"
  /** There is no decision: Reeve is away, late, or answers what cannot be read. */
  | "undecided";

/** A tool was not run. The model gets `message` as the result. */
export interface Refusal {
  readonly refused: true;
  readonly code: RefusalCode;
  /** The reason in words, for the model and for people. */
  readonly message: string;
  /** The decision, where there is one. */
  readonly decisionId?: string;
  /** The approval that the call waits for, or that was refused. */
  readonly approvalId?: string;
  /** Where people decide about it, where the host says so. */
  readonly address?: string;
}

/** The tool was run, or it was refused. */
export type Outcome<R> = { readonly refused: false; readonly value: R } | Refusal;

/** A refusal with its code and message. */
export function refusal(
  code: RefusalCode,
  message: string,
  ids: { readonly decisionId?: string | undefined; readonly approvalId?: string | undefined } = {},
): Refusal {
  const { decisionId, approvalId } = ids;
  const named = { ...(decisionId ? { decisionId } : {}), ...(approvalId ? { approvalId } : {}) };
  return { refused: true, code, message, ...named };
}
