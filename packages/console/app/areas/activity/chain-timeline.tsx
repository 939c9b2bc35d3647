import { scaleLinear } from "d3-scale";
import { useState } from "react";
import type { components } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { type Column, DataTable, pageOfAll } from "../../ui/data-table.js";
import { StatusBadge, type Tone } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";

export type Part = components["schemas"]["ChainTimeline"]["parts"][number];

const words = t.activity.timeline;
const SIZE = { width: 720, height: 64, top: 16, bottom: 44 };
/** A gap of one event among many is still seen. */
const LEAST = 4;
const ROWS = 50;

const CLASSES: Readonly<Record<Part["state"], string>> = {
  ...{ whole: "series-pass", pruned: "series-skip", missing: "series-unknown", broken: "series-critical" },
};
const TONES: Readonly<Record<Part["state"], Tone>> = {
  ...{ whole: "good", pruned: "neutral", missing: "bad", broken: "bad" },
};
const isGap = ({ state }: Part) => state === "missing" || state === "broken";

/** The chain from its first event to its last one, with each gap marked, and the same as a table. */
export function ChainTimeline({ parts }: { readonly parts: readonly Part[] }) {
  const [page, setPage] = useState(0);
  const gaps = parts.filter(isGap).length;
  const erased = parts.reduce((sum, part) => sum + part.erased, 0);
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <p>
        {words.gaps(gaps)} {words.erased(erased)}
      </p>
      <Picture parts={parts} />
      <DataTable
        caption={words.table}
        columns={COLUMNS}
        page={pageOfAll(parts, page, ROWS)}
        rowKey={({ from, state }) => `${state}-${from}`}
        empty={null}
        onPage={setPage}
      />
    </section>
  );
}

function Picture({ parts }: { readonly parts: readonly Part[] }) {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return null;
  const x = scaleLinear()
    .domain([first.from, last.to + 1])
    .range([0, SIZE.width]);
  // Gaps are drawn over what is beside them, since they are given more room than they have.
  const ordered = [...parts.filter((part) => !isGap(part)), ...parts.filter(isGap)];
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={words.picture}>
        {ordered.map((part) => (
          <rect
            key={`${part.state}-${part.from}`}
            className={CLASSES[part.state]}
            x={Math.min(x(part.from), SIZE.width - LEAST)}
            y={isGap(part) ? 0 : SIZE.top}
            width={Math.max(x(part.to + 1) - x(part.from), isGap(part) ? LEAST : 0)}
            height={SIZE.bottom - (isGap(part) ? 0 : SIZE.top)}
          />
        ))}
        {parts.map(
          ({ to, checkpoint }) =>
            checkpoint && (
              <line key={to} className="chart-mark" x1={x(to + 1)} x2={x(to + 1)} y1={SIZE.top} y2={SIZE.bottom} />
            ),
        )}
        <text className="chart-text" x={0} y={SIZE.height - 6}>
          {t.number(first.from)}
        </text>
        <text className="chart-text chart-end" x={SIZE.width} y={SIZE.height - 6}>
          {t.number(last.to)}
        </text>
      </svg>
      <figcaption>
        <p className="muted small">{words.scale}</p>
        <ul className="legend">
          {(Object.keys(CLASSES) as Part["state"][]).map((state) => (
            <li key={state}>
              <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" className={CLASSES[state]}>
                <rect width="12" height="12" />
              </svg>{" "}
              {words.states[state]}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

const COLUMNS: readonly Column<Part>[] = [
  { key: "events", head: words.columns.events, cell: ({ from, to }) => words.between(from, to) },
  {
    key: "state",
    head: words.columns.state,
    cell: ({ state, reason }) => (
      <>
        <StatusBadge tone={TONES[state]}>{words.states[state]}</StatusBadge> {reason !== null && <Text>{reason}</Text>}
      </>
    ),
  },
  { key: "first", head: words.columns.first, cell: ({ fromAt }) => <Time at={fromAt} /> },
  { key: "last", head: words.columns.last, cell: ({ toAt }) => <Time at={toAt} /> },
  { key: "erased", head: words.columns.erased, align: "end", cell: ({ erased }) => t.number(erased) },
  {
    key: "checkpoint",
    head: words.columns.checkpoint,
    cell: ({ checkpoint }) =>
      checkpoint && (
        <>
          <Time at={checkpoint.at} /> {checkpoint.signed ? words.signed : words.unsigned}
        </>
      ),
  },
];
