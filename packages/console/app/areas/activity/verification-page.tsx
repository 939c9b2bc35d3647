import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Progress } from "../../ui/progress.js";
import { Failed } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { ChainTimeline, type Part } from "./chain-timeline.js";

interface Verified {
  readonly checked: number;
  readonly headHash: string;
  readonly signedTo: number | null;
  readonly fault: { readonly sequence: number; readonly reason: string } | null;
}

/** Verifies the chain part by part, from the first event that is kept to the last one. */
async function verify(onPart: (checked: number) => void): Promise<Verified> {
  let checked = 0;
  let after: number | undefined;
  for (;;) {
    const query = after === undefined ? {} : { after };
    const { data } = await client.GET("/api/v1/ai-governance/audit/verification", { params: { query } });
    checked += data.checked;
    onPart(checked);
    if (data.complete || data.fault)
      return { checked, headHash: data.headHash, signedTo: data.signedTo, fault: data.fault };
    after = data.to;
  }
}

/** Reads the timeline part by part. It goes on where a verification stops. */
async function readTimeline(signal: AbortSignal): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (let after = 0; ; ) {
    const { data } = await client.GET("/api/v1/ai-governance/audit/timeline", { params: { query: { after } }, signal });
    parts.push(...data.parts);
    if (data.complete) return parts;
    after = data.to;
  }
}

/** Shows whether the record is whole: each event follows from the one before it. */
export function VerificationPage() {
  const [checked, setChecked] = useState(0);
  const run = useMutation({ mutationFn: () => verify(setChecked) });
  const timeline = useQuery({
    enabled: run.isSuccess,
    queryKey: figureKey("chain timeline", [], { asked: run.submittedAt }),
    queryFn: ({ signal }) => readTimeline(signal),
  });
  return (
    <Page
      title={t.activity.verification}
      actions={
        <button
          type="button"
          className="primary"
          aria-disabled={run.isPending}
          onClick={() => !run.isPending && run.mutate()}
        >
          {t.activity.verify}
        </button>
      }
    >
      <p>{t.activity.verifies}</p>
      {run.isPending && <Progress label={t.activity.verifying(checked)} done={checked} total={null} />}
      {run.isError && <Failed error={run.error} />}
      {run.data && <Result {...run.data} />}
      {run.data && <Loaded query={timeline}>{(parts) => <ChainTimeline parts={parts} />}</Loaded>}
    </Page>
  );
}

function Result({ checked, headHash, signedTo, fault }: Verified) {
  const { results } = t.activity;
  return (
    <div role="status">
      <StatusBadge tone={fault ? "bad" : "good"}>{fault ? results.broken(fault.sequence) : results.whole}</StatusBadge>
      <DefinitionList
        items={[
          [results.checked, t.number(checked)],
          [results.head, <Text key="h">{headHash}</Text>],
          [results.signed, signedTo === null ? results.unsigned : t.number(signedTo)],
          ...(fault ? ([[results.fault, <Text key="f">{fault.reason}</Text>]] as const) : []),
        ]}
      />
    </div>
  );
}
