import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, type components } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { StatusBadge, type Tone } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { Time } from "../../../ui/time.js";

type TenantDomain = components["schemas"]["TenantDomain"];

const words = t.administration.domain;
const STALE = ["tenant"] as const;
const TONES: Readonly<Record<TenantDomain["status"], Tone>> = {
  ...{ none: "neutral", pending_verification: "busy", active: "good", failed: "bad" },
};

/** The addresses of the organisation, and what proves that a domain is its own. */
export function Domain() {
  const domain = useQuery({
    queryKey: recordKey("tenant", "own", "domain"),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/tenant/domain", { signal })).data,
  });
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <Loaded query={domain}>
        {(data) => (
          <>
            <DefinitionList items={factsOf(data)} />
            <DomainActs domain={data} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function DomainActs({ domain }: { readonly domain: TenantDomain }) {
  const may = useMay();
  const [name, setName] = useState(domain.alias ?? "");
  if (!may("tenant-domain:write")) return null;
  const path = "/api/v1/tenant/domain/alias";
  return (
    <>
      <ReasonedAct
        label={domain.alias === null ? words.claim : words.check}
        hint={words.claimHint}
        stale={STALE}
        onOpen={() => setName(domain.alias ?? "")}
        act={(why) => client.PUT(path, { ifMatch: domain, body: { domain: name, ...why } })}
      >
        <TextField label={words.alias} required maxLength={253} value={name} onChange={setName} />
      </ReasonedAct>
      {domain.alias !== null && (
        <ReasonedAct
          label={words.release}
          hint={words.releaseHint}
          tone="danger"
          stale={STALE}
          act={() => client.DELETE(path, { ifMatch: domain })}
        />
      )}
    </>
  );
}

function factsOf({ subdomain, tenantUrl, alias, status, verification, checkedAt }: TenantDomain) {
  return [
    [words.subdomain, <Text key="s">{subdomain}</Text>],
    [words.url, <Text key="u">{tenantUrl ?? t.none}</Text>],
    [words.alias, alias === null ? t.none : <Text key="a">{alias}</Text>],
    [
      words.status,
      <StatusBadge key="t" tone={TONES[status]}>
        {words.states[status]}
      </StatusBadge>,
    ],
    ...(verification
      ? ([
          [words.record(verification.type), <Text key="r">{`${verification.name} ${verification.value}`}</Text>],
          [words.checked, <Time key="c" at={checkedAt} absent={t.time.never} age />],
        ] as const)
      : []),
  ] as const;
}
