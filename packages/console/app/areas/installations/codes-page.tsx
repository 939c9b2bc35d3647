import { client } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import type { Column } from "../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../ui/list-page.js";
import { Page } from "../../ui/page.js";
import { ReasonedAct } from "../../ui/reasoned-act.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { InstallationsNav } from "./installations-nav.js";
import { MakeCode } from "./make-code.js";
import { codesSearchOf } from "./search.js";
import { CODE_TONES, type EnrolmentCode } from "./terms.js";

const { codes: words, clients } = t.installations;

const COLUMNS: readonly Column<EnrolmentCode>[] = [
  { key: "name", head: words.columns.name, cell: ({ name }) => <Text>{name}</Text> },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={CODE_TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  {
    key: "client",
    head: words.columns.client,
    cell: ({ client: of }) => (of === null ? words.any : clients[of]),
  },
  { key: "uses", head: words.columns.uses, cell: ({ uses, maxUses }) => words.uses(uses, maxUses) },
  { key: "ends", head: words.columns.ends, cell: ({ expiresAt }) => <Time at={expiresAt} age /> },
  { key: "last4", head: words.columns.last4, cell: ({ last4 }) => <code>{last4}</code> },
];

const WITHDRAW: Column<EnrolmentCode> = {
  key: "acts",
  head: words.withdraw,
  cell: ({ id, status, name }) => (
    <ReasonedAct
      isShown={status === "active"}
      label={words.withdraw}
      name={`${words.withdraw}: ${name}`}
      hint={words.withdrawHint}
      tone="danger"
      isStop
      stale={["enrolment_code"]}
      act={(body) => client.POST("/api/v1/ai/installation-codes/{id}/revoke", { params: { path: { id } }, body })}
    />
  ),
};

/** Codes that enrol machines: how often each was used, and a new one. */
export function CodesPage() {
  const filters = useListSearch(codesSearchOf);
  const { page, status } = filters.search;
  const mayEnrol = useMay()("installation:enrol");
  const list = useList("enrolment_code", given({ page, status: only(status) }), (query, signal) =>
    client.GET("/api/v1/ai/installation-codes", { params: { query }, signal }),
  );
  return (
    <Page title={t.installations.navigation.codes}>
      <InstallationsNav />
      <p>{words.lead}</p>
      {mayEnrol && <MakeCode />}
      <ListView
        filters={filters}
        facets={[filters.facet("status", words.columns.status, words.states)]}
        list={list}
        caption={words.list}
        columns={mayEnrol ? [...COLUMNS, WITHDRAW] : COLUMNS}
        empty={words.empty}
      />
    </Page>
  );
}
