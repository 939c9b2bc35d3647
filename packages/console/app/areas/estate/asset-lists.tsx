import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { DataTable } from "../../ui/data-table.js";
import { Loaded } from "../../ui/loaded.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { EventsOf } from "../activity/events-of.js";
import type { Asset } from "./terms.js";

interface PartProps {
  readonly asset: Asset;
}

const words = t.estate.lists;

/** One page of a list about an asset, and how to turn it. */
function usePaged() {
  const [page, setPage] = useState(0);
  return { page, setPage };
}

export function FindingsOf({ asset: { id } }: PartProps) {
  const { page, setPage } = usePaged();
  const query = { page, sort: ["-severity" as const] };
  const list = useQuery({
    queryKey: recordKey("ai_asset", id, "findings", query),
    queryFn: async () =>
      (await client.GET("/api/v1/ai-assets/{id}/governance-findings", { params: { path: { id }, query } })).data,
  });
  return (
    <Loaded query={list}>
      {(data) => (
        <DataTable
          caption={words.findings}
          page={data}
          rowKey={(row) => row.id}
          empty={<Empty title={words.noFindings} />}
          onPage={setPage}
          columns={[
            { key: "message", head: words.message, cell: ({ message }) => <Text>{message}</Text> },
            { key: "severity", head: words.severity, cell: ({ effectiveSeverity: one }) => t.estate.severities[one] },
            { key: "status", head: words.status, cell: ({ status }) => t.estate.findingStates[status] },
            { key: "since", head: words.since, cell: ({ firstSeenAt }) => <Time at={firstSeenAt} age /> },
            { key: "due", head: words.due, cell: ({ dueAt }) => <Time at={dueAt} absent={t.none} age /> },
          ]}
        />
      )}
    </Loaded>
  );
}

export function AccessOf({ asset: { id } }: PartProps) {
  const { page, setPage } = usePaged();
  const may = useMay();
  const isShown = may("access:read");
  const list = useQuery({
    enabled: isShown,
    queryKey: recordKey("ai_asset", id, "access", { page }),
    queryFn: async () =>
      (
        await client.GET("/api/v1/ai-assets/{assetId}/access-assignments", {
          params: { path: { assetId: id }, query: { page } },
        })
      ).data,
  });
  if (!isShown) return <Empty title={words.noRight} />;
  return (
    <Loaded query={list}>
      {(data) => (
        <DataTable
          caption={words.access}
          page={data}
          rowKey={(row) => row.id}
          empty={<Empty title={words.noAccess} />}
          onPage={setPage}
          columns={[
            { key: "name", head: words.name, cell: ({ name }) => <Text>{name}</Text> },
            { key: "as", head: words.as, cell: ({ principal }) => <Text>{principal.displayName}</Text> },
            { key: "status", head: words.status, cell: ({ status }) => t.estate.accessStates[status] },
            {
              key: "there",
              head: words.there,
              cell: ({ targetState: state }) => (
                <StatusBadge tone={state === "present" ? "good" : state === "unknown" ? "unknown" : "warning"}>
                  {t.estate.targetStates[state]}
                </StatusBadge>
              ),
            },
            { key: "ends", head: words.ends, cell: ({ expiresAt }) => <Time at={expiresAt} absent={t.none} /> },
          ]}
        />
      )}
    </Loaded>
  );
}

export function SessionsOf({ asset: { id } }: PartProps) {
  const { page, setPage } = usePaged();
  const query = { agentId: [id], page };
  const list = useQuery({
    queryKey: recordKey("ai_asset", id, "sessions", query),
    queryFn: async () => (await client.GET("/api/v1/ai/sessions", { params: { query } })).data,
  });
  return (
    <Loaded query={list}>
      {(data) => (
        <DataTable
          caption={words.sessions}
          page={data}
          rowKey={(row) => row.id}
          empty={<Empty title={words.noSessions} />}
          onPage={setPage}
          columns={[
            { key: "purpose", head: words.purpose, cell: ({ purpose, name }) => <Text>{purpose ?? name}</Text> },
            { key: "user", head: words.forWhom, cell: ({ userId }) => <Text>{userId}</Text> },
            { key: "status", head: words.status, cell: ({ status }) => t.stop.sessionStates[status] },
            { key: "since", head: words.since, cell: ({ startedAt }) => <Time at={startedAt} age /> },
          ]}
        />
      )}
    </Loaded>
  );
}

export function ActivityOf({ asset: { id } }: PartProps) {
  return (
    <EventsOf
      type="ai_asset"
      id={id}
      read={(page, signal) =>
        client.GET("/api/v1/ai-assets/{id}/activity", { params: { path: { id }, query: { page } }, signal })
      }
    />
  );
}
