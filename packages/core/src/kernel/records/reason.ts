/** The most characters of a reason. */
export const LONGEST_REASON = 2_000;
/** At the end of a reason that was too long for the stop that it came with. */
export const CUT = " […] (cut)";
