import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { namedOf, useNames } from "../../../api/names.js";
import { t } from "../../../texts/index.js";
import { DataTable, wholePage } from "../../../ui/data-table.js";
import { HiddenNames } from "../../../ui/hidden-names.js";
import { Person } from "../../../ui/person.js";
import { Empty } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { SUM_COLUMNS } from "./sums.js";
import type { Group, GroupBy, Usage } from "./terms.js";

const { use: words } = t.installations;

type Names = ReturnType<typeof useNames>;

/** Groups whose keys are ids. */
const NAMED: readonly GroupBy[] = ["agent", "installation"];

/** The groups with most calls first, days in their order. */
export function GroupTable({ usage: { groupBy, items, groups } }: { readonly usage: Usage }) {
  const names = useNames(NAMED.includes(groupBy) ? items.map(({ key }) => key ?? "") : []);
  const named = {
    key: "group",
    head: words.groups[groupBy],
    cell: (group: Group) => nameOf(groupBy, group, names),
  };
  return (
    <>
      <DataTable
        caption={words.list}
        columns={[named, ...SUM_COLUMNS]}
        page={wholePage(items, groups > items.length)}
        rowKey={({ key, provider, server }) => JSON.stringify([key, provider, server])}
        empty={<Empty {...words.empty} />}
      />
      <HiddenNames names={names} />
    </>
  );
}

function nameOf(groupBy: GroupBy, { key, provider, server }: Group, names: Names): ReactNode {
  if (key === null) return <span className="muted">{words.notSaid}</span>;
  if (groupBy === "agent")
    return (
      <Link to="/estate/assets/$id" params={{ id: key }}>
        <Person person={namedOf(names, key)} />
      </Link>
    );
  if (groupBy === "installation")
    return (
      <Link to="/installations/one/$installationId" params={{ installationId: key }}>
        <Person person={namedOf(names, key)} />
      </Link>
    );
  const from = provider ?? server;
  return <Text>{from === null ? key : words.ofProvider(key, from)}</Text>;
}
