import { timestamp } from "#ports/clock.js";

/** When a row was removed that is not kept: before all that is. */
export const LONG_AGO = timestamp(0);
