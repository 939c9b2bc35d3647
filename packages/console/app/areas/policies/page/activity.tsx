import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DataTable } from "../../../ui/data-table.js";
import { Loaded } from "../../../ui/loaded.js";
import { Empty } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import type { Policy } from "../terms.js";

const words = t.policies.activity;

/** What the record tells of a policy, the newest first. */
export function ActivityOf({ policy: { id } }: { readonly policy: Policy }) {
  const may = useMay();
  const [page, setPage] = useState(0);
  const isShown = may("ai-audit:read");
  const list = useQuery({
    enabled: isShown,
    queryKey: recordKey("ai_policy", id, "activity", { page }),
    queryFn: async ({ signal }) => {
      const params = { path: { subjectId: id }, query: { page } };
      return (await client.GET("/api/v1/ai/activity/{subjectId}", { params, signal })).data;
    },
  });
  if (!isShown) return <Empty title={words.noRight} />;
  return (
    <>
      <p>
        <Link to="/activity" search={{ subject: id }}>
          {words.whole}
        </Link>
      </p>
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
              { key: "event", head: words.event, cell: ({ type }) => <Text>{type}</Text> },
              {
                key: "move",
                head: words.move,
                cell: ({ fromstate, tostate }) => (tostate ? <Text>{`${fromstate ?? ""} → ${tostate}`}</Text> : ""),
              },
              { key: "who", head: words.who, cell: ({ authid }) => <Text>{authid}</Text> },
              { key: "outcome", head: words.outcome, cell: ({ outcome }) => t.estate.outcomes[outcome] },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
