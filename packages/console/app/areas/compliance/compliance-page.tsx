import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { mountUrl } from "../../api/base.js";
import { client, type components } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { FileReport } from "./file-report.js";
import { Frameworks } from "./frameworks.js";
import { StateBar, StateLegend } from "./state-bar.js";
import { CONTROL_STATES, countsOf, postureKey } from "./terms.js";

type Answer = components["schemas"]["CompliancePosture"];

const words = t.compliance;

/** The posture by framework: a bar each, the same as numbers, and the frameworks that one can adopt. */
export function CompliancePage() {
  const may = useMay();
  const query = { size: 100 };
  const posture = useQuery({
    queryKey: postureKey("of all"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai/compliance/posture", { params: { query }, signal })).data,
  });
  const actions = (
    <>
      <a href={new URL("api/v1/ai/compliance/report?format=html", mountUrl).href} target="_blank" rel="noreferrer">
        {words.report}
      </a>
      {may("ai-compliance:assess") && <FileReport />}
    </>
  );
  return (
    <Page title={words.title} actions={actions}>
      <Loaded query={posture}>
        {(data) => (
          <>
            <p className="muted">
              {words.disclaimer} {words.asOf} <Time at={data.asOf} />
            </p>
            {data.items.length === 0 ? <Empty {...words.none} /> : <PostureTable posture={data} />}
          </>
        )}
      </Loaded>
      <Frameworks />
    </Page>
  );
}

function PostureTable({ posture: { items, overall } }: { readonly posture: Answer }) {
  return (
    <>
      <StateLegend />
      <table className="data-table posture">
        <caption className="visually-hidden">{words.list}</caption>
        <thead>
          <tr>
            <th scope="col">{words.columns.framework}</th>
            <th scope="col" className="end">
              {words.columns.score}
            </th>
            <th scope="col" className="end">
              {words.columns.coverage}
            </th>
            {CONTROL_STATES.map((state) => (
              <th key={state} scope="col" className="end">
                {words.states[state]}
              </th>
            ))}
            <th scope="col">{words.columns.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.framework}>
              <td data-head={words.columns.framework}>
                <Link to="/compliance/$framework" params={{ framework: item.framework }}>
                  <Text>{item.name}</Text>
                </Link>
                <StateBar label={words.barOf(item.name)} counts={countsOf(item)} />
              </td>
              <Numbers of={item} />
              <td data-head={words.columns.oldest}>
                <Time at={item.evidenceFreshness.oldest} absent={t.none} age />
              </td>
            </tr>
          ))}
          <tr>
            <td data-head={words.columns.framework}>
              <strong>{words.overall}</strong>
              <StateBar label={words.barOf(words.overall)} counts={countsOf(overall)} />
            </td>
            <Numbers of={overall} />
            <td data-head={words.columns.oldest} />
          </tr>
        </tbody>
      </table>
    </>
  );
}

function Numbers({ of }: { readonly of: Answer["overall"] | Answer["items"][number] }) {
  return (
    <>
      <td data-head={words.columns.score} className="end">
        {words.score(of.score)}
      </td>
      <td data-head={words.columns.coverage} className="end">
        {words.coverage(of.coverage)}
      </td>
      {countsOf(of).map(([state, count]) => (
        <td key={state} data-head={words.states[state]} className="end">
          {t.number(count)}
        </td>
      ))}
    </>
  );
}
