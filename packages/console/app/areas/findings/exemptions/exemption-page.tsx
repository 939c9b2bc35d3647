import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { Whole } from "../../../ui/whole.js";
import { Ends } from "./ends.js";
import { ExemptionActs } from "./exemption-acts.js";
import { EXEMPTION_TONES, type Exemption } from "./terms.js";

const words = t.exemptions;

/** One exemption: what it takes in, until when, who asked and who decided. */
export function ExemptionPage() {
  const { exemptionId: id = "" } = useParams({ strict: false }) as { readonly exemptionId?: string };
  const exemption = useQuery({
    queryKey: recordKey("exemption", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/exemptions/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={exemption}>
      {(data) => (
        <Page title={data.name} heading={<Text>{data.name}</Text>} actions={<ExemptionActs exemption={data} />}>
          <p className="states">
            <StatusBadge tone={EXEMPTION_TONES[data.status]}>{words.states[data.status]}</StatusBadge>
            {data.findingId && (
              <Link to="/findings/$findingId" params={{ findingId: data.findingId }}>
                {words.toFinding}
              </Link>
            )}
            <Link to="/policies/$policyId" params={{ policyId: data.policyId }}>
              {words.toPolicy}
            </Link>
          </p>
          <DefinitionList items={factsOf(data)} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf(exemption: Exemption) {
  const { reason, category, maxSeverity, compensatingControls, requestedBy, requestedAt, startsAt } = exemption;
  const { approvedBy, approvedAt, revokedReason, matchedFindings, renewalOf, ticketRef } = exemption;
  const facts = words.facts;
  return [
    [facts.scope, <Scope key="s" exemption={exemption} />],
    [facts.reason, <Text key="r">{reason}</Text>],
    [facts.category, words.categories[category]],
    [facts.severity, t.findings.severities[maxSeverity]],
    [facts.guards, <Text key="g">{compensatingControls || t.none}</Text>],
    [facts.matched, t.number(matchedFindings)],
    [facts.bound, exemption.boundEvidenceDigest ? t.whole.yes : t.whole.no],
    [facts.ticket, <Text key="t">{ticketRef ?? t.none}</Text>],
    [facts.by, <Text key="b">{requestedBy}</Text>],
    [facts.at, <Time key="a" at={requestedAt} />],
    [facts.starts, <Time key="f" at={startsAt} />],
    [facts.ends, <Ends key="e" exemption={exemption} />],
    [facts.approvedBy, <Text key="p">{approvedBy ?? t.none}</Text>],
    [facts.approvedAt, <Time key="w" at={approvedAt} absent={t.none} />],
    [facts.revoked, <Text key="v">{revokedReason ?? t.none}</Text>],
    [
      facts.renewal,
      renewalOf ? (
        <Link key="n" to="/findings/exemptions/$exemptionId" params={{ exemptionId: renewalOf }}>
          <code>{renewalOf}</code>
        </Link>
      ) : (
        t.none
      ),
    ],
  ] as const;
}

function Scope({ exemption: { scope, onAssetId } }: { readonly exemption: Exemption }) {
  if ("fingerprint" in scope) return <code className="text">{scope.fingerprint}</code>;
  const { policyKey, ruleKeys = [] } = scope;
  return (
    <>
      <Text>{words.onePolicy(policyKey, ruleKeys.join(", "))}</Text>{" "}
      {onAssetId && (
        <Link to="/estate/assets/$id" params={{ id: onAssetId }}>
          {words.onAsset}
        </Link>
      )}
      {"selector" in scope && <Whole value={scope.selector} />}
    </>
  );
}
