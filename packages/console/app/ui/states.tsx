import type { ReactNode } from "react";
import { isOvertaken, type Words, wordsOf } from "../api/problem.js";
import { t } from "../texts/index.js";

interface EmptyProps {
  readonly title: string;
  readonly detail?: string;
  readonly children?: ReactNode;
}

/** In place of a list that holds nothing: why, and what to do. */
export function Empty({ title, detail, children }: EmptyProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {detail && <p>{detail}</p>}
      {children}
    </div>
  );
}

/** While something is fetched. It appears after a moment, so that quick answers do not flicker. */
export function Loading() {
  return (
    <p className="loading" role="status">
      {t.shell.loading}
    </p>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** A refusal or a failure in words, with its remedy. */
export function Failed({ error, ...props }: FailedProps) {
  const words = wordsOf(error);
  const overtaken = isOvertaken(error) ? { overtaken: t.problem.overtaken } : {};
  return <FailedInWords words={words} {...overtaken} {...props} />;
}

interface FailedInWordsProps {
  readonly words: Words;
  /** Said first where somebody else was quicker. */
  readonly overtaken?: string;
  readonly onRetry?: () => void;
}

/** A failure of which the words are kept. */
export function FailedInWords({ words, overtaken, onRetry }: FailedInWordsProps) {
  const { title, detail, remedy, points, requestId } = words;
  return (
    <div className="failed" role="alert">
      <p className="failed-title">{overtaken ?? title}</p>
      {overtaken && <p>{title}</p>}
      {detail && <p>{detail}</p>}
      {points.length > 0 && (
        <ul>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
      {remedy && <p>{remedy}</p>}
      {requestId && <p className="muted small">{t.problem.request(requestId)}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t.problem.retry}
        </button>
      )}
    </div>
  );
}
