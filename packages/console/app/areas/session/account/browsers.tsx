import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, type components } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable } from "../../../ui/data-table.js";
import { Loaded } from "../../../ui/loaded.js";
import { Empty, Failed } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";

type Session = components["schemas"]["BrowserSession"];

const KEY = ["browser_session", "list"] as const;

/** The browsers that one is signed in with. Each of the others can be signed out. */
export function Browsers() {
  const cache = useQueryClient();
  const list = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/auth/sessions", { params: { query: { size: 100 } }, signal })).data,
  });
  const end = useMutation({
    mutationFn: (sessionId: string) =>
      client.DELETE("/api/v1/auth/sessions/{sessionId}", { params: { path: { sessionId } } }),
    onSettled: () => cache.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <section>
      <h2>{t.account.browsers.title}</h2>
      {end.isError && <Failed error={end.error} />}
      <Loaded query={list}>
        {(data) => (
          <DataTable
            caption={t.account.browsers.title}
            columns={columnsOf((id) => end.mutate(id))}
            page={data}
            rowKey={({ id }) => id}
            empty={<Empty {...t.account.browsers.empty} />}
          />
        )}
      </Loaded>
    </section>
  );
}

function columnsOf(onEnd: (id: string) => void): readonly Column<Session>[] {
  const { columns, here, end, password } = t.account.browsers;
  return [
    { key: "browser", head: columns.browser, cell: ({ userAgent }) => <Text>{userAgent}</Text> },
    { key: "by", head: columns.by, cell: ({ issuer }) => (issuer === null ? password : <Text>{issuer}</Text>) },
    { key: "since", head: columns.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: "used", head: columns.used, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} age /> },
    { key: "ends", head: columns.ends, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      key: "end",
      head: columns.end,
      cell: ({ id, current, userAgent }) =>
        current ? (
          <StatusBadge tone="good">{here}</StatusBadge>
        ) : (
          <button type="button" aria-label={end(userAgent ?? t.unknown)} onClick={() => onEnd(id)}>
            {t.shell.signOut}
          </button>
        ),
    },
  ];
}
