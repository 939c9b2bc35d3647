import { t } from "../../../texts/index.js";
import type { Usage } from "../terms.js";

const words = t.access.assignment;
const DAY = 86_400_000;
const HEIGHT = 60;
const WIDTH = 8;

interface Day {
  readonly day: string;
  /** `null` where nobody can tell. */
  readonly count: number | null;
}

/** Each day of the time asked about, the oldest first. A day is unknown where its use was not read, or only in part. */
export function daysOf({ days, byDay, coverage: { from, through, gaps } }: Usage, now: number): Day[] {
  const counts = new Map(byDay.map(({ day, count }) => [day, count]));
  return Array.from({ length: days }, (_, at): Day => {
    const start = new Date(now - (days - 1 - at) * DAY);
    const day = start.toISOString().slice(0, 10);
    const begins = `${day}T00:00:00.000Z`;
    const ends = `${day}T23:59:59.999Z`;
    const isRead = from !== null && through !== null && from <= ends && through >= begins;
    const hasGap = gaps.some((gap) => gap.from <= ends && gap.to > begins);
    return { day, count: counts.get(day) ?? (isRead && !hasGap ? 0 : null) };
  });
}

/** Use day by day: as bars, with days of which nobody knows in a colour of their own, and the same as a table. */
export function UsePicture({ usage }: { readonly usage: Usage }) {
  const days = daysOf(usage, Date.now());
  const most = Math.max(1, ...days.map(({ count }) => count ?? 0));
  const unknown = days.filter(({ count }) => count === null).length;
  return (
    <section aria-label={words.usage}>
      <h2>{words.usage}</h2>
      <p>
        {words.uses(usage.total, usage.days)} {unknown > 0 && words.unknownDays(unknown)}
      </p>
      <svg
        className="uses"
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {days.map(({ day, count }, at) => {
          const height = count === null ? HEIGHT : (count / most) * HEIGHT;
          return (
            <rect
              key={day}
              className={count === null ? "use-unknown" : "use"}
              x={at * WIDTH}
              y={HEIGHT - height}
              width={WIDTH - 1}
              height={height}
            >
              <title>{words.dayWords(day, count)}</title>
            </rect>
          );
        })}
      </svg>
      {usage.byDay.length === 0 ? (
        unknown === 0 && <p>{words.unused}</p>
      ) : (
        <table className="bars">
          <caption>{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.count}</th>
            </tr>
          </thead>
          <tbody>
            {usage.byDay.map(({ day, count }) => (
              <tr key={day}>
                <td>{day}</td>
                <td className="end">{t.number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
