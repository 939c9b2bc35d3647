/** Milliseconds of so many minutes. */
export const minutesMs = (count: number): number => count * 60_000;

/** Milliseconds of so many hours. */
export const hoursMs = (count: number): number => count * 3_600_000;

/** Milliseconds of so many UTC days. */
export const daysMs = (count: number): number => count * 86_400_000;
