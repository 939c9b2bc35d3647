import { useQuery } from "@tanstack/react-query";
import { t } from "../../texts/index.js";
import { DaysChart } from "../../ui/days-chart.js";
import { Loaded } from "../../ui/loaded.js";
import { Time } from "../../ui/time.js";
import { spendQuery } from "./queries.js";

const words = t.stop.spend;
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const clock = (at: string) => time.format(new Date(at));
const SERIES = [{ key: "costUsd", label: words.cost, className: "series-medium" }];

/** What sessions have reported to have spent in the last hour, as it happens: a picture, and the same as a table. */
export function Spend() {
  const query = useQuery(spendQuery);
  return (
    <section>
      <h2>{words.title}</h2>
      <Loaded query={query}>
        {({ minutes, complete }) => (
          <>
            {!complete && <p className="muted">{words.incomplete}</p>}
            <DaysChart
              label={words.label}
              series={SERIES}
              points={minutes.map(({ minute, usage }) => ({
                at: minute,
                values: usage && { costUsd: usage.costUsd },
              }))}
              unknown={words.unknown}
              ends={clock}
            />
            <details>
              <summary>{words.table}</summary>
              <table className="data-table">
                <caption className="visually-hidden">{words.label}</caption>
                <thead>
                  <tr>
                    <th scope="col">{words.minute}</th>
                    <th scope="col" className="end">
                      {words.sessions}
                    </th>
                    <th scope="col" className="end">
                      {words.cost}
                    </th>
                    <th scope="col" className="end">
                      {words.tokens}
                    </th>
                    <th scope="col" className="end">
                      {words.toolCalls}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {minutes.map(({ minute, sessions, usage }) => (
                    <tr key={minute}>
                      <td data-head={words.minute}>
                        <Time at={minute} />
                      </td>
                      <td data-head={words.sessions} className="end">
                        {sessions === null ? words.unknown : t.number(sessions)}
                      </td>
                      <td data-head={words.cost} className="end">
                        {usage ? t.number(usage.costUsd) : words.unknown}
                      </td>
                      <td data-head={words.tokens} className="end">
                        {usage ? t.number(usage.inputTokens + usage.outputTokens) : words.unknown}
                      </td>
                      <td data-head={words.toolCalls} className="end">
                        {usage ? t.number(usage.toolCalls) : words.unknown}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </details>
          </>
        )}
      </Loaded>
    </section>
  );
}
