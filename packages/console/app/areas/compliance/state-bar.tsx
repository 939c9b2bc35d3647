import { t } from "../../texts/index.js";
import { CONTROL_STATES, type ControlState } from "./terms.js";

interface StateBarProps {
  readonly label: string;
  readonly counts: readonly (readonly [ControlState, number])[];
}

/** Controls by state as one bar. The table beside it has the same numbers. */
export function StateBar({ label, counts }: StateBarProps) {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  let from = 0;
  const parts = counts.map(([state, count]) => {
    const x = total === 0 ? 0 : (from / total) * 100;
    from += count;
    return { state, x, width: total === 0 ? 0 : (count / total) * 100 };
  });
  return (
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="state-bar" role="img" aria-label={label}>
      {parts.map(({ state, x, width }) => (
        <rect key={state} className={`state-${state}`} x={x} width={width} height="6" />
      ))}
    </svg>
  );
}

/** What the colours of the bars say. */
export function StateLegend() {
  return (
    <ul className="legend">
      {CONTROL_STATES.map((state) => (
        <li key={state}>
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" className={`state-${state}`} />
          </svg>{" "}
          {t.compliance.states[state]}
        </li>
      ))}
    </ul>
  );
}
