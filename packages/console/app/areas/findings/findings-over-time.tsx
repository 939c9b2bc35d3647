import { useQuery } from "@tanstack/react-query";
import { client, type components } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { DaysChart } from "../../ui/days-chart.js";
import { Loaded } from "../../ui/loaded.js";
import { SEVERITIES, type Severity } from "./terms.js";

type Day = components["schemas"]["FindingsByDay"]["items"][number];

const words = t.findings.overTime;
// The gravest stand at the bottom of each column, where they are compared most easily.
const SERIES = SEVERITIES.map((key) => ({ key, label: t.findings.severities[key], className: `series-${key}` }));
const DAY = 86_400_000;

/** How many findings were open at the end of each day, by severity: a picture, and the same as a table. */
export function FindingsOverTime({ days }: { readonly days: number }) {
  const byDay = useQuery({
    queryKey: figureKey("findings by day", ["finding"], { days }),
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - (days - 1) * DAY).toISOString().slice(0, 10);
      return (await client.GET("/api/v1/ai-governance/findings/by-day", { params: { query: { from } }, signal })).data;
    },
    placeholderData: (before) => before,
  });
  return (
    <Loaded query={byDay}>
      {({ items }) => (
        <>
          <DaysChart
            label={words.label}
            series={SERIES}
            points={items.map(({ day, open }) => ({ at: day, values: open }))}
            unknown={words.unknown}
          />
          <details>
            <summary>{words.table}</summary>
            <DayTable items={items} />
          </details>
        </>
      )}
    </Loaded>
  );
}

function DayTable({ items }: { readonly items: readonly Day[] }) {
  return (
    <table className="data-table">
      <caption className="visually-hidden">{words.label}</caption>
      <thead>
        <tr>
          <th scope="col">{words.day}</th>
          {SERIES.map(({ key, label }) => (
            <th key={key} scope="col" className="end">
              {label}
            </th>
          ))}
          <th scope="col" className="end">
            {words.found}
          </th>
          <th scope="col" className="end">
            {words.resolved}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ day, open, found, resolved }) => (
          <tr key={day}>
            <td data-head={words.day}>{day}</td>
            {SERIES.map(({ key, label }) => (
              <td key={key} data-head={label} className="end">
                {open ? t.number(open[key]) : words.unknown}
              </td>
            ))}
            <td data-head={words.found} className="end">
              {sumOf(found)}
            </td>
            <td data-head={words.resolved} className="end">
              {sumOf(resolved)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const sumOf = (numbers: Readonly<Record<Severity, number>> | null) =>
  numbers ? t.number(SEVERITIES.reduce((sum, severity) => sum + numbers[severity], 0)) : words.unknown;
