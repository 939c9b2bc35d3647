import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { AdministrationNav } from "../administration-nav.js";
import type { Webhook } from "../terms.js";
import { Attempts } from "./attempts.js";
import { Delivery } from "./delivery.js";
import { type Issued, Secret } from "./secret.js";
import { TestWebhook } from "./test-webhook.js";
import { WebhookActs } from "./webhook-acts.js";

const words = t.webhooks;

/** One webhook: what is sent there, how far it is, and what was tried. */
export function WebhookPage() {
  const may = useMay();
  if (may("webhook:read")) return <Readable mayChange={may("webhook:write")} />;
  return (
    <Page title={t.administration.navigation.webhooks}>
      <AdministrationNav />
      <Empty {...words.withheld} />
    </Page>
  );
}

function Readable({ mayChange }: { readonly mayChange: boolean }) {
  const { webhookId: id = "" } = useParams({ strict: false });
  const [issued, setIssued] = useState<Issued>();
  const webhook = useQuery({
    queryKey: recordKey("webhook", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/webhooks/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={webhook}>
      {(data) => (
        <Page
          title={data.name}
          heading={<Text>{data.name}</Text>}
          actions={mayChange && <WebhookActs webhook={data} onIssued={setIssued} />}
        >
          <AdministrationNav />
          <Secret issued={issued} onDone={() => setIssued(undefined)} />
          {!mayChange && <p className="muted">{words.readOnly}</p>}
          <DefinitionList items={factsOf(data)} />
          {mayChange && <TestWebhook id={id} />}
          <Delivery id={id} />
          <Attempts webhook={data} mayChange={mayChange} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf({ url, types, status, rotations, createdAt, updatedAt }: Webhook) {
  const { columns, facts, states } = words;
  return [
    [columns.url, <Text key="u">{url}</Text>],
    [columns.types, <Text key="t">{types.join(", ") || words.all}</Text>],
    [
      columns.status,
      <StatusBadge key="s" tone={status === "active" ? "good" : "neutral"}>
        {states[status]}
      </StatusBadge>,
    ],
    [facts.rotations, t.number(rotations)],
    [columns.made, <Time key="m" at={createdAt} />],
    [facts.changed, <Time key="c" at={updatedAt} />],
  ] as const;
}
