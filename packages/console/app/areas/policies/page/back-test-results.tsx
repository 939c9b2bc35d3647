import { Link } from "@tanstack/react-router";
import { t } from "../../../texts/index.js";
import { DaysChart } from "../../../ui/days-chart.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import type { BackTest } from "../terms.js";

const words = t.policies.backTest;
const OUTCOMES = Object.keys(words.outcomes) as readonly (keyof typeof words.outcomes)[];
const SERIES = OUTCOMES.map((key) => ({ key, label: words.outcomes[key], className: `series-${key}` }));

/** Assets by what a policy would have said, moment by moment, and those that it would have hit. */
export function OverAssets({ found }: { readonly found: NonNullable<BackTest["overAssets"]> }) {
  const { assets, moments, failing, failingTotal } = found;
  return (
    <>
      <p>{words.looked(assets.looked, assets.total)}</p>
      <h2>{words.hits}</h2>
      {failing.length === 0 ? <p>{words.noHits}</p> : <Hits failing={failing} total={failingTotal} />}
      <h2>{words.moments}</h2>
      <DaysChart
        label={words.moments}
        series={SERIES}
        points={moments.map(({ at, ...values }) => ({ at, values }))}
        unknown={t.unknown}
      />
      <details>
        <summary>{words.momentsTable}</summary>
        <table className="data-table">
          <caption className="visually-hidden">{words.moments}</caption>
          <thead>
            <tr>
              <th scope="col">{words.at}</th>
              <th scope="col" className="end">
                {words.assets}
              </th>
              {OUTCOMES.map((outcome) => (
                <th key={outcome} scope="col" className="end">
                  {words.outcomes[outcome]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moments.map((moment) => (
              <tr key={moment.at}>
                <td data-head={words.at}>
                  <Time at={moment.at} />
                </td>
                <td data-head={words.assets} className="end">
                  {t.number(moment.assets)}
                </td>
                {OUTCOMES.map((outcome) => (
                  <td key={outcome} data-head={words.outcomes[outcome]} className="end">
                    {t.number(moment[outcome])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

type Failing = NonNullable<BackTest["overAssets"]>["failing"];

function Hits({ failing, total }: { readonly failing: Failing; readonly total: number }) {
  const head = words.hit;
  return (
    <>
      <p className="muted">{words.hitsOf(failing.length, total)}</p>
      <table className="data-table">
        <caption className="visually-hidden">{words.hits}</caption>
        <thead>
          <tr>
            {Object.values(head).map((each) => (
              <th key={each} scope="col">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {failing.map(({ assetId, assetName, ruleKeys, moments, firstAt, lastAt, now }) => (
            <tr key={assetId}>
              <td data-head={head.asset}>
                <Link to="/estate/assets/$id" params={{ id: assetId }}>
                  <Text>{assetName}</Text>
                </Link>
              </td>
              <td data-head={head.rules}>
                <Text>{ruleKeys.join(", ")}</Text>
              </td>
              <td data-head={head.moments}>{t.number(moments)}</td>
              <td data-head={head.first}>
                <Time at={firstAt} />
              </td>
              <td data-head={head.last}>
                <Time at={lastAt} />
              </td>
              <td data-head={head.now}>
                <StatusBadge tone={now ? "bad" : "neutral"}>{now ? words.fails : words.failsNot}</StatusBadge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Decisions that would have come out differently. */
export function OverRequests({ found }: { readonly found: NonNullable<BackTest["overRequests"]> }) {
  const { decisions, stricter, looser, same, unknown, examples } = found;
  const head = words.example;
  return (
    <>
      <p>{words.decisions(decisions)}</p>
      <DefinitionList
        items={[
          [words.stricter, t.number(stricter)],
          [words.looser, t.number(looser)],
          [words.same, t.number(same)],
          [words.unknown, t.number(unknown)],
        ]}
      />
      <h2>{words.examples}</h2>
      {examples.length === 0 ? (
        <p>{words.noExamples}</p>
      ) : (
        <table className="data-table">
          <caption className="visually-hidden">{words.examples}</caption>
          <thead>
            <tr>
              {Object.values(head).map((each) => (
                <th key={each} scope="col">
                  {each}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {examples.map(({ id, at, subject, action, was, says }) => (
              <tr key={id}>
                <td data-head={head.at}>
                  <Time at={at} />
                </td>
                <td data-head={head.who}>
                  <Text>{`${subject.type} ${subject.id}`}</Text>
                </td>
                <td data-head={head.action}>
                  <Text>{action.name}</Text>
                </td>
                <td data-head={head.was}>{t.policies.said[was]}</td>
                <td data-head={head.says}>{t.policies.said[says]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
