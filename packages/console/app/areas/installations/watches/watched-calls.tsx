import { namedOf, useNames } from "../../../api/names.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable, pageOfAll } from "../../../ui/data-table.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { HiddenNames } from "../../../ui/hidden-names.js";
import { useListSearch } from "../../../ui/list-page.js";
import { Person } from "../../../ui/person.js";
import { Empty } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { watchSearchOf } from "../search.js";
import type { Seen } from "./read-seen.js";
import type { WatchedCall } from "./terms.js";

const { watches: words } = t.installations;
const { columns } = words.calls;

/** Kinds of calls on one page. */
const SIZE = 50;

type Names = ReturnType<typeof useNames>;

const columnsWith = (names: Names): readonly Column<WatchedCall>[] => [
  { key: "tool", head: columns.tool, cell: ({ tool }) => <Text>{tool ?? words.calls.otherTools}</Text> },
  { key: "answer", head: columns.answer, cell: ({ status }) => words.calls.answers[status] },
  { key: "why", head: columns.why, cell: ({ reasons }) => <Why reasons={reasons} /> },
  { key: "calls", head: columns.calls, align: "end", cell: ({ calls }) => t.number(calls) },
  { key: "last", head: columns.last, cell: ({ lastAt }) => <Time at={lastAt} age /> },
  {
    key: "agents",
    head: columns.agents,
    cell: ({ agentIds }) => (
      <ul className="plain">
        {agentIds.map((id) => (
          <li key={id}>
            <Person person={namedOf(names, id)} />
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: "teams",
    head: columns.teams,
    cell: ({ teams }) => <Text>{teams.length === 0 ? t.none : teams.join(", ")}</Text>,
  },
];

/** What would have been denied or would have waited, summed up, and by tool and rule with most calls first. */
export function WatchedCalls({ seen: { summary, calls } }: { readonly seen: Seen }) {
  const { search, change } = useListSearch(watchSearchOf);
  const page = pageOfAll(calls, search.page ?? 0, SIZE);
  const names = useNames(page.items.flatMap(({ agentIds }) => agentIds));
  const { seen } = words;
  return (
    <>
      <DefinitionList
        items={[
          [seen.kinds, t.number(summary.kinds)],
          [seen.denied, t.number(summary.denied)],
          [seen.waiting, t.number(summary.waiting)],
          [seen.last, <Time key="l" at={summary.lastAt} absent={seen.noCall} />],
          [
            seen.digest,
            <code key="d" className="text">
              {summary.digest}
            </code>,
          ],
        ]}
      />
      <p className="muted">{seen.digestHint}</p>
      <DataTable
        caption={words.calls.list}
        columns={columnsWith(names)}
        page={page}
        rowKey={({ id }) => id}
        empty={<Empty {...words.calls.empty} />}
        onPage={(to) => change({ page: to || undefined })}
      />
      <HiddenNames names={names} />
    </>
  );
}

function Why({ reasons }: Pick<WatchedCall, "reasons">) {
  if (reasons.length === 0) return <>{words.calls.otherRules}</>;
  return (
    <ul className="plain">
      {reasons.map(({ code, policyKey, ruleKey }) => (
        <li key={`${code} ${policyKey} ${ruleKey}`}>
          {words.codes[code]}
          {policyKey !== null && (
            <>
              {": "}
              <Text>{ruleKey === null ? policyKey : words.calls.rule(policyKey, ruleKey)}</Text>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
