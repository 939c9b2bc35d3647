/** Up to this many missing records are plausible, however few there were. */
const FEW = 10;
/** The part of the known records that may be missing. */
const PART = 0.2;

/** What a reading of a target found of what was known. */
export interface MassChange {
  readonly found: number;
  readonly missing: number;
  readonly known: number;
  /** What other readings of the last hour missed, so that many small ones are not taken for plausible. */
  readonly recent?: number;
  /** The part of what is known that is plausible, where people set one. */
  readonly part?: number;
}

/** Whether more is missing than is plausible: a glitch of a target must not end what is in use. */
export function isAnomalous({ found, missing, known, recent = 0, part = PART }: MassChange): boolean {
  return (found === 0 && known > 0) || missing + recent > Math.max(FEW, (known + recent) * part);
}
