import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, type components } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { StatusBadge, type Tone } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { pageSearchOf } from "../search.js";
import type { Machine } from "../terms.js";

type Credential = components["schemas"]["ClientCredential"];
/** What is issued, rotated or revoked. */
type Act = { readonly kind: "issue" } | { readonly kind: "rotate" | "revoke"; readonly credential: Credential };

const words = t.administration.credentials;
const TONES: Readonly<Record<Credential["status"], Tone>> = {
  ...{ active: "good", superseded: "warning", expired: "neutral" },
};

const COLUMNS: readonly Column<Credential>[] = [
  { key: "name", head: words.columns.name, cell: ({ name, id }) => <Text>{name ?? id}</Text> },
  {
    key: "status",
    head: words.columns.status,
    cell: ({ status }) => <StatusBadge tone={TONES[status]}>{words.states[status]}</StatusBadge>,
  },
  { key: "method", head: words.columns.method, cell: ({ method }) => words.methods[method] },
  { key: "made", head: words.columns.made, cell: ({ createdAt }) => <Time at={createdAt} age /> },
  { key: "used", head: words.columns.used, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} absent={t.unknown} age /> },
  { key: "ends", head: words.columns.ends, cell: ({ expiresAt }) => <Time at={expiresAt} age /> },
];

/** The credentials of a machine. A secret is shown once, when it is made. */
export function Credentials({ machine }: { readonly machine: Machine }) {
  const { id } = machine;
  const filters = useListSearch(pageSearchOf);
  const cache = useQueryClient();
  const may = useMay();
  const [asked, setAsked] = useState<Act>();
  const query = given({ page: filters.search.page });
  const list = useList(
    "ai_identity",
    query,
    (wanted, signal) =>
      client.GET("/api/v1/ai/identities/{id}/credentials", { params: { path: { id }, query: wanted }, signal }),
    recordKey("ai_identity", id, "credentials", query),
  );
  const act = useMutation({
    mutationFn: (chosen: Act) => send(id, chosen),
    onSuccess: () => setAsked(undefined),
    onSettled: () => cache.invalidateQueries({ queryKey: ["ai_identity"] }),
  });
  const ask = (chosen: Act) => {
    act.reset();
    setAsked(chosen);
  };
  const mayChange = may("ai-identity:credential");
  const acts: Column<Credential> = {
    key: "acts",
    head: words.columns.acts,
    cell: (credential) =>
      credential.status === "active" && (
        <>
          <button type="button" onClick={() => ask({ kind: "rotate", credential })}>
            {words.rotate}
          </button>{" "}
          <button type="button" className="danger" onClick={() => ask({ kind: "revoke", credential })}>
            {words.revoke}
          </button>
        </>
      ),
  };
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      {act.data && <Issued issued={act.data} onDone={act.reset} />}
      {mayChange && machine.status === "active" && (
        <button type="button" onClick={() => ask({ kind: "issue" })}>
          {words.issue}
        </button>
      )}
      <ListView
        filters={filters}
        facets={[]}
        list={list}
        caption={words.title}
        columns={mayChange ? [...COLUMNS, acts] : COLUMNS}
        empty={words.empty}
      />
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={asked ? words[asked.kind] : ""}
        confirm={asked ? words[asked.kind] : ""}
        tone={asked?.kind === "revoke" ? "danger" : "primary"}
        isBusy={act.isPending}
        error={act.error}
        onConfirm={() => asked && act.mutate(asked)}
        onClose={() => setAsked(undefined)}
      >
        {asked && <p>{words.hints[asked.kind]}</p>}
      </ConfirmDialog>
    </section>
  );
}

interface IssuedSecret {
  readonly clientId: string;
  readonly clientSecret?: string;
}

function Issued({ issued, onDone }: { readonly issued: IssuedSecret; readonly onDone: () => void }) {
  return (
    <div role="status" className="stack">
      <p>{words.once}</p>
      <pre className="data">{`client_id=${issued.clientId}\nclient_secret=${issued.clientSecret ?? ""}`}</pre>
      <button type="button" onClick={onDone}>
        {words.kept}
      </button>
    </div>
  );
}

/** Issues, rotates or revokes. `undefined` where no secret comes of it. */
async function send(id: string, asked: Act): Promise<IssuedSecret | undefined> {
  const path = "/api/v1/ai/identities/{id}/credentials";
  if (asked.kind === "issue") return (await client.POST(path, { params: { path: { id } }, body: {} })).data;
  const params = { path: { id, credentialId: asked.credential.id } };
  if (asked.kind === "rotate") return (await client.POST(`${path}/{credentialId}/rotate`, { params, body: {} })).data;
  await client.DELETE(`${path}/{credentialId}`, { params });
  return undefined;
}
