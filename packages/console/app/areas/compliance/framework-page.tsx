import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ProblemError } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { Facets } from "../../ui/facets.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { useFrameworkSearch } from "./search.js";
import { StateBar, StateLegend } from "./state-bar.js";
import { CONTROL_STATES, CONTROL_TONES, type Control, countsOf, frameworkPostureQuery, type Posture } from "./terms.js";

const words = t.compliance;

/** One framework: its controls by state, and why each stands as it does. */
export function FrameworkPage() {
  const { framework = "" } = useParams({ strict: false }) as { readonly framework?: string };
  const posture = useQuery(frameworkPostureQuery(framework));
  if (ProblemError.is(posture.error) && posture.error.status === 404)
    return (
      <Page title={framework}>
        <Empty {...words.notCounted} />
      </Page>
    );
  return <Loaded query={posture}>{(data) => <Opened posture={data} />}</Loaded>;
}

function Opened({ posture }: { readonly posture: Posture }) {
  const { state } = useFrameworkSearch();
  const navigate = useNavigate();
  const { name, edition, score, coverage, asOf, controls, evidenceFreshness } = posture;
  const shown = state === undefined ? controls : controls.filter((control) => control.state === state);
  return (
    <Page title={name} heading={<Text>{name}</Text>}>
      <p className="states">
        <Text>{edition}</Text>
        <span>
          {words.columns.score} {words.score(score)}
        </span>
        <span>
          {words.columns.coverage} {words.coverage(coverage)}
        </span>
        <span>
          {words.columns.oldest} <Time at={evidenceFreshness.oldest} absent={t.none} age />
        </span>
        <span className="muted">
          {words.asOf} <Time at={asOf} />
        </span>
      </p>
      <StateBar label={words.barOf(name)} counts={countsOf(posture)} />
      <StateLegend />
      <Facets
        facets={[
          {
            key: "state",
            label: words.filter,
            value: state,
            options: countsOf(posture).map(([value, count]) => ({
              value,
              label: words.countOf(words.states[value], count),
            })),
          },
        ]}
        onChange={(_, value) =>
          void navigate({ to: ".", search: { state: CONTROL_STATES.find((each) => each === value) } })
        }
      />
      {shown.length === 0 ? <Empty {...words.noFit} /> : <Controls framework={posture.framework} controls={shown} />}
    </Page>
  );
}

function Controls({ framework, controls }: { readonly framework: string; readonly controls: readonly Control[] }) {
  return (
    <table className="data-table">
      <caption className="visually-hidden">{words.fits}</caption>
      <thead>
        <tr>
          <th scope="col">{words.control}</th>
          <th scope="col">{words.state}</th>
          <th scope="col">{words.reasons}</th>
          <th scope="col" className="end">
            {words.findings}
          </th>
          <th scope="col">{words.facts.evaluated}</th>
        </tr>
      </thead>
      <tbody>
        {controls.map(({ controlId, title, state, reasons, rules }) => (
          <tr key={controlId}>
            <td data-head={words.control}>
              <Link to="/compliance/$framework/$control" params={{ framework, control: controlId }}>
                <Text>{controlId}</Text>
              </Link>{" "}
              <Text>{title}</Text>
            </td>
            <td data-head={words.state}>
              <StatusBadge tone={CONTROL_TONES[state]}>{words.states[state]}</StatusBadge>
            </td>
            <td data-head={words.reasons}>{reasons.map((reason) => words.reasonTexts[reason]).join(" ")}</td>
            <td data-head={words.findings} className="end">
              {t.number(rules.open)}
            </td>
            <td data-head={words.facts.evaluated}>
              <Time at={rules.oldestEvaluation} absent={t.none} age />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
