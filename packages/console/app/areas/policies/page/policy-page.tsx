import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Loading } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Tabs } from "../../../ui/tabs.js";
import { Text } from "../../../ui/text.js";
import { SEVERITY_TONES } from "../../findings/terms.js";
import { usePolicySearch } from "../search.js";
import { POLICY_TABS, POLICY_TONES, type Policy } from "../terms.js";
import { ActivationOf } from "./activation.js";
import { ActivityOf } from "./activity.js";
import { Pending } from "./pending.js";
import { PolicyActs } from "./policy-acts.js";
import { policyQuery } from "./policy-query.js";
import { RulesOf } from "./rules.js";
import { RunsOf } from "./runs.js";
import { TestsOf } from "./tests.js";
import { PolicyVersions } from "./versions.js";

// It draws, and d3 is loaded where something is drawn.
const BackTestOf = lazy(() => import("./back-test.js").then(({ BackTestOf: Part }) => ({ default: Part })));

const PARTS = {
  rule: RulesOf,
  tests: TestsOf,
  backTest: BackTestOf,
  versions: PolicyVersions,
  force: ActivationOf,
  activity: ActivityOf,
} as const;

/** Everything about one policy. */
export function PolicyPage() {
  const { policyId: id = "" } = useParams({ strict: false }) as { readonly policyId?: string };
  const policy = useQuery(policyQuery(id));
  return <Loaded query={policy}>{(data) => <Opened policy={data} />}</Loaded>;
}

function Opened({ policy }: { readonly policy: Policy }) {
  const { tab = "rule" } = usePolicySearch();
  const may = useMay();
  const { id, name, status, kind, severity } = policy;
  const Part = PARTS[tab];
  const actions = (
    <>
      {may("ai-policy:write") && status !== "archived" && (
        <Link to="/policies/$policyId/edit" params={{ policyId: id }}>
          {t.policies.edit}
        </Link>
      )}
      <PolicyActs policy={policy} />
    </>
  );
  return (
    <Page title={name} heading={<Text>{name}</Text>} actions={actions}>
      <p className="states">
        <StatusBadge tone={POLICY_TONES[status]}>{t.policies.statuses[status]}</StatusBadge>
        <span>{t.policies.kinds[kind]}</span>
        <StatusBadge tone={SEVERITY_TONES[severity]}>{t.findings.severities[severity]}</StatusBadge>
        {kind === "posture" && may("ai-finding:read") && (
          <Link to="/findings" search={{ policyId: id }}>
            {t.policies.toFindings}
          </Link>
        )}
        {kind === "posture" && may("ai-exemption:read") && (
          <Link to="/findings/exemptions" search={{ policyId: id }}>
            {t.policies.toExemptions}
          </Link>
        )}
        {kind === "posture" && may("ai-exemption:request") && status !== "draft" && (
          <Link to="/findings/exemptions/new" search={{ policyId: id }}>
            {t.policies.askExemption}
          </Link>
        )}
      </p>
      <Pending policy={policy} />
      <RunsOf policy={policy} />
      <Tabs
        label={t.policies.parts}
        tabs={POLICY_TABS.map((value) => ({ value, label: t.policies.tabs[value] }))}
        selected={tab}
      />
      <Suspense fallback={<Loading />}>
        <Part policy={policy} />
      </Suspense>
    </Page>
  );
}
