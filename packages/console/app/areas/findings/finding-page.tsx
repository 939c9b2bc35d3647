import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { FindingActs } from "./finding-acts.js";
import { FindingReviews } from "./finding-reviews.js";
import { type Finding, SEVERITY_TONES, STATUS_TONES } from "./terms.js";

/** One finding: what is wrong, what was seen, what people did about it, and what one may do. */
export function FindingPage() {
  const { findingId: id } = useParams({ strict: false }) as { readonly findingId: string };
  const finding = useQuery({
    queryKey: recordKey("finding", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/findings/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={finding}>
      {(data) => (
        <Page title={data.title} heading={<Text>{data.title}</Text>} actions={<Acts finding={data} />}>
          <p>
            <Text>{data.message}</Text>
          </p>
          <DefinitionList items={factsOf(data)} />
          <FindingReviews id={id} />
        </Page>
      )}
    </Loaded>
  );
}

/** What one may do about a finding; an exemption has a page of its own to ask for it. */
function Acts({ finding }: { readonly finding: Finding }) {
  const may = useMay();
  const { id, policyId, status } = finding;
  const isStanding = !["resolved", "closed", "dismissed"].includes(status);
  return (
    <>
      <FindingActs finding={finding} />
      {policyId && isStanding && may("ai-exemption:request") && (
        <Link to="/findings/exemptions/new" search={{ findingId: id }}>
          {t.findings.askExemption}
        </Link>
      )}
    </>
  );
}

function factsOf(finding: Finding) {
  const { status, effectiveSeverity, assetName, policyKey, ruleKey, remediation, detection, assignee } = finding;
  const facts = t.findings.facts;
  return [
    [
      facts.status,
      <StatusBadge key="s" tone={STATUS_TONES[status]}>
        {t.findings.states[status]}
      </StatusBadge>,
    ],
    [
      facts.severity,
      <StatusBadge key="v" tone={SEVERITY_TONES[effectiveSeverity]}>
        {t.findings.severities[effectiveSeverity]}
      </StatusBadge>,
    ],
    [
      facts.detection,
      <StatusBadge key="d" tone={detection === "unknown" ? "unknown" : "neutral"}>
        {t.findings.detections[detection]}
      </StatusBadge>,
    ],
    [facts.asset, <Text key="a">{assetName}</Text>],
    [facts.policy, <Text key="p">{`${policyKey} / ${ruleKey}`}</Text>],
    [facts.remediation, <Text key="r">{remediation}</Text>],
    [facts.assignee, <Text key="g">{assignee?.name ?? assignee?.id ?? t.none}</Text>],
    [facts.since, <Time key="c" at={finding.createdAt} />],
    [facts.due, <Time key="u" at={finding.dueAt} absent={t.none} />],
    [facts.waiting, waitingFor(finding)],
  ] as const;
}

function waitingFor({ dismissalRequest, severityRequest }: Finding): string {
  if (dismissalRequest) return t.findings.waiting.dismissal;
  return severityRequest ? t.findings.waiting.severity : t.none;
}
