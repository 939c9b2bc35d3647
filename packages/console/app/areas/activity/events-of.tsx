import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { components } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { namedOf, useNames } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { DataTable, type ListPage } from "../../ui/data-table.js";
import { HiddenNames } from "../../ui/hidden-names.js";
import { Loaded } from "../../ui/loaded.js";
import { Person } from "../../ui/person.js";
import { Empty } from "../../ui/states.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { eventInWords } from "./event-in-words.js";

const words = t.activity.of;

interface EventsOfProps {
  /** The type of the record, by which the list is kept up to date. */
  readonly type: string;
  readonly id: string;
  /** Reads a page of it, by the operation that its readers may call. */
  readonly read: (page: number, signal: AbortSignal) => Promise<{ readonly data: ListPage<Event> }>;
}

type Event = components["schemas"]["Event"];

/** What the record tells of one thing, the newest first, with the ways to all of it and to its proof. */
export function EventsOf({ type, id, read }: EventsOfProps) {
  const may = useMay();
  const [page, setPage] = useState(0);
  const list = useQuery({
    queryKey: recordKey(type, id, "activity", { page }),
    queryFn: async ({ signal }) => (await read(page, signal)).data,
  });
  const names = useNames(list.data?.items.map(({ authid }) => authid));
  return (
    <>
      <p>
        {may("ai-activity:read") && (
          <Link to="/activity" search={{ subject: id }}>
            {words.whole}
          </Link>
        )}{" "}
        {may("ai-audit:export") && (
          <Link to="/activity/export" search={{ subject: id }}>
            {t.activity.toExport}
          </Link>
        )}
      </p>
      <HiddenNames names={names} />
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={words.title}
            page={data}
            rowKey={(event) => event.id}
            empty={<Empty title={words.none} />}
            onPage={setPage}
            columns={[
              { key: "at", head: words.at, cell: ({ time }) => <Time at={time} /> },
              { key: "event", head: words.event, cell: ({ type: of }) => <Text>{eventInWords(of)}</Text> },
              {
                key: "move",
                head: words.move,
                cell: ({ fromstate, tostate }) => (tostate ? <Text>{`${fromstate ?? ""} → ${tostate}`}</Text> : ""),
              },
              { key: "who", head: words.who, cell: ({ authid }) => <Person person={namedOf(names, authid)} /> },
              { key: "outcome", head: words.outcome, cell: ({ outcome }) => t.activity.choices[outcome] },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
