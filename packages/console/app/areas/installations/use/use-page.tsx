import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { client } from "../../../api/client.js";
import { figureKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Field } from "../../../ui/field.js";
import { useListSearch } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Loading } from "../../../ui/states.js";
import { InstallationsNav } from "../installations-nav.js";
import { usageSearchOf } from "../search.js";
import { GroupTable } from "./group-table.js";
import { SUM_COLUMNS } from "./sums.js";
import { FIGURES, type Figure, firstDay, GROUPS, type GroupBy, SPANS, type Usage } from "./terms.js";

const { use: words } = t.installations;

// It draws, and d3 is loaded where something is drawn.
const ByDay = lazy(() => import("./by-day.js").then(({ ByDay: Part }) => ({ default: Part })));

const useUsage = (groupBy: GroupBy, days: number) =>
  useQuery({
    queryKey: figureKey("usage", ["installation"], { groupBy, days }),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai/usage", { params: { query: { groupBy, from: firstDay(days) } }, signal })).data,
    placeholderData: (before) => before,
  });

/** The use of models and tools that installations report, by group and by day. */
export function UsePage() {
  const { search, change } = useListSearch(usageSearchOf);
  const { groupBy = "model", days = 30, figure = "calls" } = search;
  const usage = useUsage(groupBy, days);
  return (
    <Page title={t.installations.navigation.use}>
      <InstallationsNav />
      <p>{words.lead}</p>
      <div className="facets">
        <Choice
          label={words.group}
          value={groupBy}
          options={GROUPS.map((one) => [one, words.groups[one]])}
          onChange={(to) => change({ groupBy: GROUPS.find((one) => one === to) })}
        />
        <Choice
          label={words.span}
          value={String(days)}
          options={SPANS.map((one) => [String(one), words.spans[one]])}
          onChange={(to) => change({ days: SPANS.find((one) => String(one) === to) })}
        />
      </div>
      <Loaded query={usage}>
        {(data) => (
          <>
            <section aria-label={words.totals}>
              <h2>{words.totals}</h2>
              <DefinitionList items={SUM_COLUMNS.map(({ head, cell }) => [head, cell(data.totals)])} />
            </section>
            <GroupTable usage={data} />
          </>
        )}
      </Loaded>
      <Days days={days} figure={figure} onFigure={(to) => change({ figure: to })} />
    </Page>
  );
}

interface DaysProps {
  readonly days: number;
  readonly figure: Figure;
  readonly onFigure: (figure: Figure | undefined) => void;
}

function Days({ days, figure, onFigure }: DaysProps) {
  const { byDay } = words;
  const usage: UseQueryResult<Usage> = useUsage("day", days);
  return (
    <section aria-label={byDay.title}>
      <h2>{byDay.title}</h2>
      <div className="facets">
        <Choice
          label={byDay.figure}
          value={figure}
          options={FIGURES.map((one) => [one, byDay.figures[one]])}
          onChange={(to) => onFigure(FIGURES.find((one) => one === to))}
        />
      </div>
      <Loaded query={usage}>
        {(data) => (
          <Suspense fallback={<Loading />}>
            <ByDay usage={data} figure={figure} />
          </Suspense>
        )}
      </Loaded>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** One of several, of which one is always chosen. */
function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
