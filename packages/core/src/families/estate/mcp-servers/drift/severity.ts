/** Severities of drift, in ascending order. */
export const DRIFT_SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type DriftSeverity = (typeof DRIFT_SEVERITIES)[number];

/** The highest severity. `null` without any. */
export function mostSevere(severities: readonly DriftSeverity[]): DriftSeverity | null {
  return severities.reduce<DriftSeverity | null>(
    (worst, next) =>
      worst !== null && DRIFT_SEVERITIES.indexOf(worst) >= DRIFT_SEVERITIES.indexOf(next) ? worst : next,
    null,
  );
}
