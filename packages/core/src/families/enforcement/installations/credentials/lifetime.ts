import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, minutesMs } from "#ports/durations.js";

/** How long a credential lasts. An installation takes a new one while the old one works. */
const LASTS = daysMs(90);
/** How long a credential works after it was rotated, so that calls in flight and a lost answer do no harm. */
const OVERLAP = minutesMs(60);

export const credentialEnd = ({ request }: Context): string => timestamp(request.nowMs + LASTS);
export const overlapEnd = ({ request }: Context): string => timestamp(request.nowMs + OVERLAP);
