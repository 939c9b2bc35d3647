import type { ErrorClass } from "#connectors/error.js";
import { canonical } from "#kernel/events/canonical.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import type { AccessReconciliation } from "./schema.js";

type Grant = Pick<
  AccessReconciliation,
  "connectorInstanceId" | "resource" | "profileExternalId" | "principal" | "parameters"
>;

/** The key of a grant: equal for the same access, whoever holds it here and whatever names have become. */
export function grantKeyOf({ connectorInstanceId, resource, profileExternalId, principal, parameters }: Grant): string {
  const { type, externalId } = principal;
  const { type: resourceType, externalId: resourceId } = resource;
  const access = [connectorInstanceId, resourceType, resourceId, profileExternalId, type, externalId, parameters];
  return sha256(canonical(access));
}

/** Failed attempts, and how long they go on, after which a grant is given up and a revocation is told of. */
export const ATTEMPTS = 5;
export const GRANT_FOR = hoursMs(24);
export const REVOKE_QUIETLY_FOR = hoursMs(1);
const FIRST_PAUSE = 1_000;
const GRANT_PAUSE = 300_000;
const REVOKE_PAUSE = hoursMs(1);
const SWITCHED_OFF_PAUSE = minutesMs(1);
const LEAST_PAUSE = 1_000;
/** The longest pause for a target that is down, and its share of the time that it is down. */
const DOWN_PAUSE = REVOKE_PAUSE / 2;
const DOWN_SHARE = 1 / 8;

/** How long a target may work on something before people are told. */
export const OVERDUE_AFTER = hoursMs(24);

/** Whether a target has worked on something for so long that people are told. */
export const isOverdue = (
  { externalOpRef, externalSince }: Pick<AccessReconciliation, "externalOpRef" | "externalSince">,
  nowMs: number,
): boolean => externalOpRef !== null && externalSince !== null && nowMs - Date.parse(externalSince) >= OVERDUE_AFTER;

/** Codes of failures for which the target was not called. */
const NOT_CALLED: ReadonlySet<string> = new Set([
  "kill_switch_active",
  "circuit_open",
  "overloaded",
  "storage_unavailable",
]);
/** Classes that only somebody who changes the connection can mend. */
const MISFITS: ReadonlySet<ErrorClass> = new Set(["config", "auth", "permission"]);
/** Classes that no repetition mends. */
const FINAL: ReadonlySet<ErrorClass> = new Set(["not_found", "invalid", "unsupported", "fatal"]);

/** A failure as a reconciliation sees it. `declined` is the target's refusal on purpose. */
export interface ReconciliationFault {
  readonly errorClass: ErrorClass | "declined";
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Whether no repetition mends a failure. */
export const isFinal = ({ errorClass }: Pick<ReconciliationFault, "errorClass">): boolean =>
  errorClass === "declined" || FINAL.has(errorClass);

/** Failures by which a target says that it has done nothing. */
const DONE_NOTHING: ReadonlySet<string> = new Set([
  ...(["declined", "not_found", "invalid", "unsupported", "config", "auth", "permission"] as const),
]);

/** Whether a write that failed has certainly changed nothing, so that there is nothing to take back. */
export const hasDoneNothing = ({ errorClass }: ReconciliationFault): boolean => DONE_NOTHING.has(errorClass);

/** How long a target is looked at again that does not show what it took, and the shortest pause between two looks. */
const LOOK_FOR = hoursMs(24);
const LOOK_PAUSE = minutesMs(1);

/** When a target is looked at again that does not show what it took: each pause is as long as all before. */
export function nextLook(hiddenSince: string, nowMs: number): Pick<AccessReconciliation, "dueAt" | "phase"> {
  const passed = nowMs - Date.parse(hiddenSince);
  const dueAt = passed >= LOOK_FOR ? null : timestamp(nowMs + Math.max(LOOK_PAUSE, passed));
  return { dueAt, phase: "idle" };
}

/** Whether the end of a grant was settled, so that it is back if the target shows it. */
export const isEnded = ({ wanted, phase, targetState, observedAt }: AccessReconciliation): boolean =>
  wanted === "absent" && phase === "idle" && observedAt !== null && ["absent", "unknown"].includes(targetState);

interface Failing {
  readonly wanted: AccessReconciliation["wanted"];
  /** Failed attempts before this one, and when the first was, in milliseconds. */
  readonly attempts: number;
  readonly since: number;
  readonly now: number;
  /** From 0 to 1, to spread attempts. */
  readonly spread: number;
}

/** What follows from a failure: another attempt, rest until somebody changes the connection, or giving up a grant. */
export interface Verdict {
  readonly next: "again" | "rest" | "give_up";
  /** Milliseconds until the next attempt or look. */
  readonly afterMs: number;
  readonly attempts: number;
  /** A revocation has failed for so long that people are told. */
  readonly report: boolean;
}

/** Decides about a failure. A grant is given up in the end, a revocation never. */
export function verdictOn({ errorClass, code, retryAfterMs: named }: ReconciliationFault, failing: Failing): Verdict {
  // A target that names a later time would otherwise decide how long access lasts.
  const retryAfterMs = named === undefined ? undefined : Math.min(REVOKE_PAUSE, named);
  const { wanted, attempts: before, since, now } = failing;
  const isOverdue = wanted === "absent" && now - since >= REVOKE_QUIETLY_FOR;
  const free = { attempts: before, report: isOverdue } as const;
  if (code !== undefined && NOT_CALLED.has(code)) {
    // The longer a target is down, the fewer turns go to what waits for it, which others wait for.
    const spread = (1 + failing.spread) / 2;
    const down = code === "circuit_open" ? Math.min(DOWN_PAUSE, (now - since) * DOWN_SHARE) * spread : 0;
    return { ...free, next: "again", afterMs: Math.max(retryAfterMs ?? SWITCHED_OFF_PAUSE, Math.round(down)) };
  }
  if (errorClass === "rate_limited")
    return { ...free, next: "again", afterMs: Math.max(LEAST_PAUSE, retryAfterMs ?? SWITCHED_OFF_PAUSE) };
  const attempts = before + 1;
  const isMisfit = MISFITS.has(errorClass as ErrorClass);
  const final = isFinal({ errorClass });
  const afterMs = pauseOf(failing, retryAfterMs);
  if (wanted === "absent") {
    const report = isMisfit || final || isOverdue || attempts >= ATTEMPTS;
    if (isMisfit) return { next: "rest", afterMs: REVOKE_PAUSE, attempts, report };
    return { next: "again", afterMs: final ? REVOKE_PAUSE : afterMs, attempts, report };
  }
  if (isMisfit) return { next: "rest", afterMs: REVOKE_PAUSE, attempts: before, report: false };
  const isSpent = attempts >= ATTEMPTS || now - since >= GRANT_FOR;
  if (final || isSpent) return { next: "give_up", afterMs: 0, attempts, report: false };
  return { next: "again", afterMs, attempts, report: false };
}

/** Full jitter under a bound that doubles. */
function pauseOf({ wanted, attempts, spread }: Failing, retryAfterMs = 0): number {
  const longest = wanted === "absent" ? REVOKE_PAUSE : GRANT_PAUSE;
  const bound = Math.min(longest, FIRST_PAUSE * 2 ** Math.min(attempts, 30));
  return Math.max(LEAST_PAUSE, retryAfterMs, Math.round(bound * spread));
}

/** A number from 0 to 1 that differs from attempt to attempt, and is the same when a test runs again. */
export function spreadOf({ id, fence }: Pick<AccessReconciliation, "id" | "fence">): number {
  const BITS = 13;
  return Number.parseInt(sha256(`${id} ${fence}`).slice(0, BITS), 16) / 16 ** BITS;
}
