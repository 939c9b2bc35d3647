import { t } from "../texts/index.js";

interface ProgressProps {
  readonly label: string;
  readonly done: number;
  /** `null` while it is not known. */
  readonly total: number | null;
}

/** How far long work is, in figures too. */
export function Progress({ label, done, total }: ProgressProps) {
  return (
    <div className="progress" role="status">
      <span>{label}</span>
      {total === null ? <progress aria-label={label} /> : <progress aria-label={label} value={done} max={total} />}
      {total !== null && <span className="muted">{t.progress.done(done, total)}</span>}
    </div>
  );
}
