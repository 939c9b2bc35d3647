import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { Person } from "../../../ui/person.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { StatusBadge, type Tone } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { Time } from "../../../ui/time.js";
import { AdministrationNav } from "../administration-nav.js";
import { erasuresSearchOf } from "../search.js";
import type { Erasure } from "../terms.js";

const words = t.administration.erasures;
const TONES: Readonly<Record<Erasure["status"], Tone>> = {
  ...{ requested: "busy", approved: "good", declined: "neutral" },
};

const COLUMNS: readonly Column<Erasure>[] = [
  { key: "subject", head: words.columns.subject, cell: ({ subjectId, name }) => <Text>{subjectId ?? name}</Text> },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  { key: "reason", head: words.columns.reason, cell: ({ reason }) => <Text>{reason}</Text> },
  { key: "by", head: words.columns.by, cell: ({ requestedBy }) => <Person person={{ id: requestedBy, name: null }} /> },
  { key: "erased", head: words.columns.erased, align: "end", cell: ({ erased }) => t.number(erased) },
  { key: "asked", head: words.columns.asked, cell: ({ createdAt }) => <Time at={createdAt} age /> },
];

/** Requests to erase the data of events, which a second person decides in the inbox. */
export function ErasuresPage() {
  const filters = useListSearch(erasuresSearchOf);
  const { page, status } = filters.search;
  const may = useMay();
  const list = useList("erasure", given({ page, status: only(status) }), (query, signal) =>
    client.GET("/api/v1/ai-governance/audit/erasures", { params: { query }, signal }),
  );
  return (
    <Page title={t.administration.navigation.erasures} actions={may("ai-audit:erase") && <Ask />}>
      <AdministrationNav />
      <p>{words.leads}</p>
      <ListView
        filters={filters}
        facets={[filters.facet("status", words.columns.status, words.states)]}
        list={list}
        caption={words.list}
        columns={COLUMNS}
        empty={words.empty}
      />
    </Page>
  );
}

function Ask() {
  const [subjectId, setSubjectId] = useState("");
  return (
    <ReasonedAct
      label={words.ask}
      hint={words.askHint}
      tone="danger"
      isReasonRequired
      stale={["erasure"]}
      act={({ reason = "" }) => client.POST("/api/v1/ai-governance/audit/erasures", { body: { subjectId, reason } })}
      onOpen={() => setSubjectId("")}
    >
      <TextField label={words.columns.subject} required maxLength={255} value={subjectId} onChange={setSubjectId} />
    </ReasonedAct>
  );
}
