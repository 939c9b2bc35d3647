import { scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";

/** A series of a chart. Its class gives it a colour; its name stands in the legend. */
export interface Series {
  readonly key: string;
  readonly label: string;
  /** Of `styles/charts.css`, as in `series-critical`. */
  readonly className: string;
}

/** A day, or another moment, with a number for each series; `null` where they are not known. */
export interface Point {
  readonly at: string;
  readonly values: Readonly<Record<string, number>> | null;
}

interface DaysChartProps {
  /** What is drawn, in words. The same facts stand in a table beside it. */
  readonly label: string;
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  /** What days without numbers are called in the legend. */
  readonly unknown: string;
  /** How the first and the last moment are written; as dates when absent. */
  readonly ends?: (at: string) => string;
}

const SIZE = { width: 720, height: 220, left: 48, right: 8, top: 8, bottom: 24 };
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const dateOf = (at: string) => date.format(new Date(at));
const number = new Intl.NumberFormat("en");

/** Numbers by day as stacked columns. Days that are not known have a pattern of their own, and are no zeros. */
export function DaysChart({ label, series, points, unknown, ends = dateOf }: DaysChartProps) {
  const total = ({ values }: Point) => series.reduce((sum, { key }) => sum + (values?.[key] ?? 0), 0);
  const most = Math.max(1, ...points.map(total));
  const x = scaleBand<number>()
    .domain(points.map((_, at) => at))
    .range([SIZE.left, SIZE.width - SIZE.right])
    .paddingInner(points.length > 120 ? 0 : 0.15);
  const y = scaleLinear()
    .domain([0, most])
    .nice(4)
    .range([SIZE.height - SIZE.bottom, SIZE.top]);
  const layers = stack<Point>()
    .keys(series.map(({ key }) => key))
    .value(({ values }, key) => values?.[key] ?? 0)([...points]);
  const ticks = y.ticks(4).filter(Number.isInteger);
  const isAnyUnknown = points.some(({ values }) => values === null);
  const floor = SIZE.height - SIZE.bottom;
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="chart-line" x1={SIZE.left} x2={SIZE.width - SIZE.right} y1={y(tick)} y2={y(tick)} />
            <text className="chart-text chart-end" x={SIZE.left - 6} y={y(tick) + 4}>
              {number.format(tick)}
            </text>
          </g>
        ))}
        {points.map(
          ({ at, values }, index) =>
            values === null && (
              <rect
                key={at}
                className="series-unknown"
                x={x(index)}
                y={SIZE.top}
                width={x.bandwidth()}
                height={floor - SIZE.top}
              />
            ),
        )}
        {layers.map((layer) => (
          <g key={layer.key} className={series.find(({ key }) => key === layer.key)?.className}>
            {layer.map(([from, to], at) =>
              to > from ? (
                <rect
                  key={points[at]?.at}
                  x={x(at)}
                  y={y(to)}
                  width={x.bandwidth()}
                  height={Math.max(0, y(from) - y(to))}
                />
              ) : null,
            )}
          </g>
        ))}
        {[points.at(0), points.at(-1)].map(
          (point, which) =>
            point && (
              <text
                key={which === 0 ? "first" : "last"}
                className={which === 0 ? "chart-text" : "chart-text chart-end"}
                x={which === 0 ? SIZE.left : SIZE.width - SIZE.right}
                y={SIZE.height - 6}
              >
                {ends(point.at)}
              </text>
            ),
        )}
      </svg>
      <figcaption>
        <ul className="legend">
          {series.map(({ key, label: name, className }) => (
            <Named key={key} name={name} className={className} />
          ))}
          {isAnyUnknown && <Named name={unknown} className="series-unknown" />}
        </ul>
      </figcaption>
    </figure>
  );
}

function Named({ name, className }: { readonly name: string; readonly className: string }) {
  return (
    <li>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" className={className}>
        <rect width="12" height="12" />
      </svg>{" "}
      {name}
    </li>
  );
}
