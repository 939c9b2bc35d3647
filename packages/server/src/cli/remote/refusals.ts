import type { ProblemError } from "@reeve/client";
import { Failure } from "../../failure.js";

/** A refusal of the server, in words of the command line. */
export class Refusal extends Failure {
  override readonly code: string | undefined;

  constructor(code: string | undefined, ...reasons: string[]) {
    super(...reasons);
    this.code = code;
  }
}

/** What to do about codes whose own remedy speaks of requests. */
const INSTEAD: Readonly<Record<string, string>> = {
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
  const faults = errors.map((fault) => `${fault.pointer ?? fault.parameter ?? code}: ${fault.message}`);
  const unmet = guards.filter(({ ok }) => !ok).map(({ key, detail }) => `${key}: ${detail ?? "is not met"}`);
  const moves = allowed.length > 0 ? [`possible from here: ${allowed.join(", ")}`] : [];
  return new Refusal(code, reason, ...faults, ...unmet, ...moves);
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
