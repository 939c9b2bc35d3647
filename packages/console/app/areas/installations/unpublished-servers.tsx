import { t } from "../../texts/index.js";
import { type Column, DataTable, wholePage } from "../../ui/data-table.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import type { Installation } from "./terms.js";

const { unpublished: words } = t.installations;

const COLUMNS: readonly Column<Installation["unpublishedServers"][number]>[] = [
  { key: "name", head: words.columns.name, cell: ({ name }) => <Text>{name}</Text> },
  { key: "kind", head: words.columns.kind, cell: ({ kind }) => words.kinds[kind] },
  { key: "shown", head: words.columns.shown, cell: ({ shown }) => <Text>{shown}</Text> },
  { key: "seen", head: words.columns.seen, cell: ({ firstSeenAt }) => <Time at={firstSeenAt} age /> },
];

/** MCP servers that a machine has and nobody published. A machine that named no servers may have some. */
export function UnpublishedServers({ installation }: { readonly installation: Installation }) {
  const { unpublishedServers, report } = installation;
  const hasSaid = report !== null && report.servers !== null;
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <DataTable
        caption={words.title}
        columns={COLUMNS}
        page={wholePage(unpublishedServers)}
        rowKey={({ identity, name }) => `${name} ${identity}`}
        empty={<p>{hasSaid ? words.none : words.unknown}</p>}
      />
    </section>
  );
}
