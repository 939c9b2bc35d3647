import type { Problem, ProblemError } from "@reeve/client";
import { Failure } from "../../failure.js";

/** A refusal of the server, in words of the command line. */
export class Refusal extends Failure {
  override readonly code: string | undefined;

  constructor(code: string | undefined, ...reasons: string[]) {
    super(...reasons);
    this.code = code;
  }
}

const LATER = "repeat the command a little later";
const UNLIKE = "the server does not understand the command; are both of one version?";

/** What to do about codes whose own words speak of requests. */
const INSTEAD: Readonly<Record<string, string>> = {
  invalid_json: UNLIKE,
  unsupported_media_type: UNLIKE,
  route_not_found: UNLIKE,
  method_not_allowed: UNLIKE,
  invalid_parameter: "an option or a value of --query is not valid",
  idempotency_key_required: UNLIKE,
  idempotency_key_reused: "another command was sent under the same key; repeat it",
  idempotency_key_taken: "another command was sent under the same key; repeat it",
  idempotency_in_progress: `the same command is still running; ${LATER}`,
  idempotency_secret_not_replayable: "the first answer held a secret and was not kept; repeat the command",
  outcome_unknown: "it is not known whether the change was stored; look at it before you repeat the command",
  token_missing: "you are not signed in; sign in by reeve login",
  invalid_token: "the sign-in has ended; sign in again by reeve login",
  token_expired: "the sign-in has ended; sign in again by reeve login",
  precondition_failed: "it has changed since it was read; look at it again, and repeat the command",
  precondition_required: "say what you have seen, by --seen and what reeve show tells",
  not_found: "there is nothing of this id or name that you may see",
  too_many_attempts: "too many attempts; wait some minutes",
};

/** The reasons of a refusal: what was wrong, each property at fault, and each condition that is not met. */
export function refusalOf(problem: ProblemError, server: string): Refusal {
  const { code, errors, guards, allowed, message } = problem;
  if (code === undefined) return strange(server);
  const reason = Object.hasOwn(INSTEAD, code) ? (INSTEAD[code] as string) : `${plain(message)} (${code})`;
  const advice = Object.hasOwn(INSTEAD, code) || errors.length > 0 ? undefined : adviceOf(problem.problem);
  const faults = errors.map((fault) => `${fault.pointer ?? fault.parameter ?? code}: ${fault.message}`);
  const unmet = guards.filter(({ ok }) => !ok).map(({ key, detail }) => `${key}: ${detail ?? "is not met"}`);
  const moves = allowed.length > 0 ? [`possible from here: ${allowed.join(", ")}`] : [];
  return new Refusal(code, reason, ...(advice === undefined ? [] : [advice]), ...faults, ...unmet, ...moves);
}

/** The remedy of a refusal that says no more of itself. */
function adviceOf({ detail, remedy }: Partial<Problem>): string | undefined {
  if (detail !== undefined || remedy === undefined) return undefined;
  if (remedy.includes("Retry-After")) return LATER;
  return plain(`${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`);
}

/** The message without its last full stop. */
const plain = (message: string) => message.replace(/[.]$/, "");

/** What answers is something else than Reeve. */
export const strange = (server: string) => new Refusal(undefined, `${server} answers, but not as Reeve does`);

/** Why a server gave no answer. */
export function silenceOf(error: unknown, server: string): Failure {
  const { cause, message, name } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const why = name === "TimeoutError" ? "it took too long" : (code ?? (cause as Error | undefined)?.message ?? message);
  return new Failure(`${server} gives no answer (${why}); does the server run, and is the address right?`);
}
