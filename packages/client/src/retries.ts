import { pause } from "./abort.js";
import { NobodyAnswers, type Send } from "./send.js";

export interface RetrySettings {
  /** How often a request is sent again at most. */
  readonly retries: number;
  /** The longest wait between two tries, in milliseconds. */
  readonly maxRetryDelay: number;
}

/** The wait before the first repeat where the service names none, in milliseconds; it doubles with each. */
const FIRST_DELAY = 200;

const PUT_OFF = new Set([409, 429, 503]);
const READS = new Set(["GET", "HEAD"]);
const KEYED = new Set(["POST", "PATCH"]);

/**
 * Sends again what the service puts off with `Retry-After`, and what got no answer where doing it twice is doing it once. A
 * wait beyond the longest ends the tries.
 */
export function withRetries(send: Send, { retries, maxRetryDelay }: RetrySettings): Send {
  return async (request) => {
    let lost: Response | Failure | undefined;
    for (let tries = 0; ; tries++) {
      const isLast = tries === retries;
      const outcome = await attempt(send, isLast ? request : request.clone());
      if (isLast || !(await mayRepeat(request, outcome))) return settle(request, outcome, lost);
      const delay = delayOf(outcome, tries);
      if (delay > maxRetryDelay) return settle(request, outcome, lost);
      if (!lost && (hasFailed(outcome) || (await isUnknown(outcome)))) lost = outcome;
      else if (!hasFailed(outcome)) await outcome.body?.cancel();
      await pause(delay, request.signal);
    }
  };
}

interface Failure {
  readonly failure: unknown;
}

async function attempt(send: Send, request: Request): Promise<Response | Failure> {
  try {
    return await send(request);
  } catch (failure) {
    return { failure };
  }
}

/** Not by `instanceof Response`: hosts replace the global class, as `@hono/node-server` does. */
function hasFailed(outcome: Response | Failure): outcome is Failure {
  return "failure" in outcome;
}

/** A deletion whose answer was `lost`, or said that nobody knows, may be why its repeat finds nothing. */
function settle(request: Request, outcome: Response | Failure, lost: Response | Failure | undefined): Response {
  if (hasFailed(outcome)) throw outcome.failure;
  if (!lost || request.method !== "DELETE" || outcome.status !== 404) return outcome;
  if (hasFailed(lost)) throw lost.failure;
  return lost;
}

/** Whether doing it twice is doing it once, and the second answer is that of the first. */
function isIdempotent({ method, headers }: Request): boolean {
  if (KEYED.has(method)) return headers.has("idempotency-key");
  // The second would meet the version that the first has made.
  return READS.has(method) || !headers.has("if-match");
}

async function mayRepeat(request: Request, outcome: Response | Failure): Promise<boolean> {
  const isRepeatable = isIdempotent(request);
  if (hasFailed(outcome)) return isRepeatable && !(outcome.failure instanceof NobodyAnswers);
  if (!PUT_OFF.has(outcome.status) || !outcome.headers.has("retry-after")) return false;
  return isRepeatable || !(await isUnknown(outcome));
}

/** Whether it is the one refusal after which the change may be there. */
async function isUnknown(answer: Response): Promise<boolean> {
  return answer.status === 503 && (await answer.clone().text()).includes('"outcome_unknown"');
}

/** Milliseconds until the next try: what `Retry-After` says, in seconds or as a date, or else a random part of a growing wait. */
function delayOf(outcome: Response | Failure, tries: number): number {
  const named = hasFailed(outcome) ? null : outcome.headers.get("retry-after");
  if (named === null) return FIRST_DELAY * 2 ** tries * (0.5 + Math.random() / 2);
  return /^\d+$/.test(named) ? Number(named) * 1_000 : Math.max(0, Date.parse(named) - Date.now()) || 0;
}
