import { t } from "../texts/index.js";
import { Progress } from "../ui/progress.js";
import { FailedInWords } from "../ui/states.js";
import type { Work } from "./work.js";
import { goOnWithWork, stopWork } from "./works.js";

interface WorkStateProps {
  readonly work: Work;
  /** How far it is, in words. */
  readonly label: string;
  readonly done: number;
  /** `null` while it is not known. */
  readonly total: number | null;
  /** What becomes of it when the tab is closed. */
  readonly onClosing: string;
}

/** Work on the page that shows it, until it is done: how far it is, and how one stops it and goes on. */
export function WorkState({ work: { id, status, failure }, label, done, total, onClosing }: WorkStateProps) {
  if (status === "done") return null;
  if (status === "running")
    return (
      <>
        <Progress label={label} done={done} total={total} />
        <p className="muted">
          {t.work.elsewhere} {onClosing}
        </p>
        <button type="button" onClick={() => void stopWork(id)}>
          {t.work.stop}
        </button>
      </>
    );
  return (
    <>
      {failure && <FailedInWords words={failure} />}
      <p role="status">{t.work.stopped(label)}</p>
      <button type="button" className="primary" onClick={() => void goOnWithWork(id)}>
        {t.work.goOn}
      </button>
    </>
  );
}
