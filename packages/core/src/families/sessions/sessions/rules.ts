import { timestamp } from "#ports/clock.js";
import type { Enforcement } from "./control/enforcement.js";
import type { SessionLimits } from "./report/limits.js";

/** The fields of a session that time transitions depend on. */
interface Timed {
  readonly status: string;
  readonly expiresAt: string | null;
  readonly lastActivityAt: string;
  readonly startedAt: string;
  readonly limitsInForce: Pick<SessionLimits, "idleTimeoutSec" | "maxDurationSec">;
  readonly enforcement: Pick<Enforcement, "state" | "deadlineAt">;
}

/** When time alone changes a session next. `null` for never. */
export function dueAt(session: Timed): string | null {
  const moments = [endOf(session), holdOf(session), deadlineOf(session)];
  return moments.filter((moment) => moment !== null).sort()[0] ?? null;
}

/** The event of the machine at that moment. `null` when only the wait for acknowledgements ends. */
export function timeEvent(session: Timed): "expire" | "finish" | "hold" | null {
  if (session.status === "terminating") return "finish";
  const due = dueAt(session);
  if (due === null || due === deadlineOf(session)) return null;
  return due === endOf(session) ? "expire" : "hold";
}

/** When an active session reaches its longest duration. */
function holdOf({ status, startedAt, limitsInForce: { maxDurationSec } }: Timed): string | null {
  if (status !== "active" || maxDurationSec === null) return null;
  return timestamp(Date.parse(startedAt) + maxDurationSec * 1_000);
}

/** When it expires: an active session by its date or idle time, a suspended one by its date. */
function endOf({ status, expiresAt, lastActivityAt, limitsInForce: { idleTimeoutSec } }: Timed): string | null {
  if (status === "suspended") return expiresAt;
  if (status !== "active") return null;
  if (idleTimeoutSec === null) return expiresAt;
  const silent = timestamp(Date.parse(lastActivityAt) + idleTimeoutSec * 1_000);
  return expiresAt === null || silent < expiresAt ? silent : expiresAt;
}

function deadlineOf({ enforcement }: Timed): string | null {
  return enforcement.state === "pending" ? enforcement.deadlineAt : null;
}
