import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { AdministrationNav } from "../administration-nav.js";
import { MACHINE_TONES, type Machine } from "../terms.js";
import { Credentials } from "./credentials.js";

/** One machine identity: what it may do, its credentials, and how it is switched off. */
export function MachinePage() {
  const { identityId: id = "" } = useParams({ strict: false });
  const may = useMay();
  const machine = useQuery({
    queryKey: recordKey("ai_identity", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai/identities/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={machine}>
      {(data) => (
        <Page
          title={data.name}
          heading={<Text>{data.name}</Text>}
          actions={may("ai-identity:write") && <MachineActs machine={data} />}
        >
          <AdministrationNav />
          <DefinitionList items={factsOf(data)} />
          <p>
            <Link to="/estate/assets/$id" params={{ id: data.assetId }}>
              {t.administration.machines.toAsset}
            </Link>
          </p>
          <Credentials machine={data} />
        </Page>
      )}
    </Loaded>
  );
}

function MachineActs({ machine }: { readonly machine: Machine }) {
  const { acts, hints } = t.administration.machines;
  const { id, status } = machine;
  const move = (to: "active" | "disabled" | "revoked") => (why: { readonly reason?: string }) =>
    client.PUT("/api/v1/ai/identities/{id}", {
      params: { path: { id } },
      ifMatch: machine,
      body: { status: to, ...why },
    });
  return (["disabled", "active", "revoked"] as const).map((to) => (
    <ReasonedAct
      key={to}
      isShown={status !== "revoked" && (to === "revoked" || (to === "active") !== (status === "active"))}
      label={acts[to]}
      hint={hints[to]}
      tone={to === "active" ? "primary" : "danger"}
      isReasonRequired={to === "revoked"}
      stale={["ai_identity"]}
      act={move(to)}
    />
  ));
}

function factsOf(machine: Machine) {
  const { id, status, kind, scopes, issuer, owner, lastUsedAt, credentialExpiresAt, blockedBy } = machine;
  const { columns, facts, states } = t.administration.machines;
  return [
    [facts.clientId, <Text key="i">{id}</Text>],
    [
      columns.status,
      <StatusBadge key="s" tone={MACHINE_TONES[status]}>
        {states[status]}
      </StatusBadge>,
    ],
    [facts.blocked, blockedBy === null ? t.none : <Text key="b">{blockedBy}</Text>],
    [facts.kind, <Text key="k">{kind.replaceAll("_", " ")}</Text>],
    [facts.scopes, <Text key="p">{scopes.join(", ") || t.none}</Text>],
    [facts.issuer, issuer === null ? t.none : <Text key="r">{issuer}</Text>],
    [facts.owner, <Text key="o">{owner?.name ?? owner?.id ?? t.none}</Text>],
    [columns.used, <Time key="u" at={lastUsedAt} absent={t.unknown} age />],
    [columns.ends, <Time key="e" at={credentialExpiresAt} absent={t.none} age />],
  ] as const;
}
