import { Link } from "@tanstack/react-router";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Page } from "../../ui/page.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { useWork } from "../../work/use-works.js";
import type { Work } from "../../work/work.js";
import { WorkState } from "../../work/work-state.js";
import { beginWork } from "../../work/works.js";
import { ChainTimeline } from "./chain-timeline.js";
import { BEGIN, type Verifying } from "./verify-chain.js";
import { verification } from "./works.js";

/** Shows whether the record is whole: each event follows from the one before it. */
export function VerificationPage() {
  const work = useWork(verification, "");
  const isRunning = work?.status === "running";
  return (
    <Page
      title={t.activity.verification}
      actions={
        <button
          type="button"
          className="primary"
          aria-disabled={isRunning}
          onClick={() => !isRunning && void beginWork(verification, { key: "", input: null, state: BEGIN })}
        >
          {t.activity.verify}
        </button>
      }
    >
      <p>
        <Link to="/activity">{t.activity.back}</Link>
      </p>
      <p>{t.activity.verifies}</p>
      {work && (
        <WorkState
          work={work}
          label={work.state.result ? t.activity.timeline.reading : t.activity.verifying(work.state.checked)}
          done={work.state.checked}
          total={null}
          onClosing={verification.onClosing}
        />
      )}
      {work?.state.result && <Result work={work} />}
      {work?.status === "done" && <ChainTimeline parts={work.state.parts} />}
    </Page>
  );
}

function Result({ work: { state, begunAt } }: { readonly work: Work<null, Verifying> }) {
  const { results } = t.activity;
  const { checked, result } = state;
  if (!result) return null;
  const { headHash, signedTo, fault } = result;
  return (
    <div role="status">
      <StatusBadge tone={fault ? "bad" : "good"}>{fault ? results.broken(fault.sequence) : results.whole}</StatusBadge>
      <DefinitionList
        items={[
          [results.checked, t.number(checked)],
          [results.at, <Time key="t" at={begunAt} />],
          [results.head, <Text key="h">{headHash}</Text>],
          [results.signed, signedTo === null ? results.unsigned : t.number(signedTo)],
          ...(fault ? ([[results.fault, <Text key="f">{fault.reason}</Text>]] as const) : []),
        ]}
      />
    </div>
  );
}
