import { optionsOf } from "#families/options.js";
import type { Context } from "#kernel/operation/context.js";
import { minutesMs } from "#ports/durations.js";

/** How far something is that events are sent to, as it is stored. */
interface Failing {
  readonly failingSince: string | null;
  /** When it was told that nothing was taken for long; `null` where it was not. */
  readonly alarmedAt: string | null;
}

/** Whether it is time to tell that nothing was taken since a moment. Each time that something fails is told of once. */
export const isAlarming = (ctx: Context, { alarmedAt }: Failing, failingSince: string): boolean =>
  alarmedAt === null &&
  Date.parse(failingSince) + minutesMs(optionsOf(ctx.env).deliveryAlarmMinutes) <= ctx.request.nowMs;
