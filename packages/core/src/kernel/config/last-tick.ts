import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { defineService, type Environment } from "./environment.js";
import { storeOf } from "./store-access.js";

/** When `tick` last completed for all tenants in this process. `null` before the first time. */
export const lastTick = defineService("kernel.lastTick", (): { at: string | null } => ({ at: null }));

/** How long timed work may wait, in milliseconds, before it is late. */
export const LATE_AFTER = minutesMs(5);

/** Whether the log has the warning that timed work is late, until it is well again. */
const warned = defineService("kernel.lateWarning", () => ({ given: false }));

/** Whether any tenant has timed work that has waited too long, whichever process was to do it. The log is told once. */
export async function isTimedWorkLate(env: Environment): Promise<boolean> {
  const due = await storeOf(env).dues.find(timestamp(env.clock.now() - LATE_AFTER), 1);
  const isLate = due.length > 0;
  const warning = env.use(warned);
  if (isLate && !warning.given)
    env.logger.warn({ dueSince: due[0]?.at }, "timed work is late: call start(), or tick() about once a minute");
  warning.given = isLate;
  return isLate;
}
