/** When the older catalogue was deprecated, and when it ends. */
const REPLACED = { since: "2026-11-22", sunset: "2027-11-22" } as const;

/** Marks an operation as replaced by the one at this path. */
export const replacedBy = (successor: string) => ({ deprecated: { ...REPLACED, successor } });
