import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import { AddAct } from "../../../ui/add-act.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { AdministrationNav } from "../administration-nav.js";
import { webhooksSearchOf } from "../search.js";
import type { Webhook } from "../terms.js";
import { type Issued, Secret } from "./secret.js";
import { meantBy, NEW, type Said, WebhookFields } from "./webhook-fields.js";

const words = t.webhooks;

const COLUMNS: readonly Column<Webhook>[] = [
  {
    key: "name",
    head: words.columns.name,
    cell: ({ id, name }) => (
      <Link to="/administration/webhooks/$webhookId" params={{ webhookId: id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "url", head: words.columns.url, cell: ({ url }) => <Text>{url}</Text> },
  { key: "types", head: words.columns.types, cell: ({ types }) => <Text>{types.join(", ") || words.all}</Text> },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => (
      <StatusBadge tone={status === "active" ? "good" : "neutral"}>{words.states[status]}</StatusBadge>
    ),
  },
  { key: "made", head: words.columns.made, cell: ({ createdAt }) => <Time at={createdAt} age /> },
];

/** Addresses of other systems that events are posted to. */
export function WebhooksPage() {
  const may = useMay();
  const mayChange = may("webhook:write");
  const [issued, setIssued] = useState<Issued>();
  return (
    <Page title={t.administration.navigation.webhooks} actions={mayChange && <Add onIssued={setIssued} />}>
      <AdministrationNav />
      <Secret issued={issued} onDone={() => setIssued(undefined)} />
      {may("webhook:read") ? <Webhooks mayChange={mayChange} /> : <Empty {...words.withheld} />}
    </Page>
  );
}

function Webhooks({ mayChange }: { readonly mayChange: boolean }) {
  const filters = useListSearch(webhooksSearchOf);
  const { page, status } = filters.search;
  const list = useList("webhook", given({ page, status: only(status) }), (query, signal) =>
    client.GET("/api/v1/webhooks", { params: { query }, signal }),
  );
  return (
    <>
      <p>{words.leads}</p>
      {!mayChange && <p className="muted">{words.readOnly}</p>}
      <ListView
        filters={filters}
        facets={[filters.facet("status", words.columns.status, words.states)]}
        list={list}
        caption={words.list}
        columns={COLUMNS}
        empty={words.empty}
      />
    </>
  );
}

function Add({ onIssued }: { readonly onIssued: (issued: Issued) => void }) {
  const add = async (said: Said) => onIssued((await client.POST("/api/v1/webhooks", { body: meantBy(said) })).data);
  return (
    <AddAct label={words.add} hint={words.addHint} stale={["webhook"]} fresh={NEW} add={add}>
      {(said, onChange) => <WebhookFields said={said} onChange={onChange} />}
    </AddAct>
  );
}
