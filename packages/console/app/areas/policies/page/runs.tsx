import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { listKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Progress } from "../../../ui/progress.js";
import { Time } from "../../../ui/time.js";
import type { Policy } from "../terms.js";

const words = t.policies.runs;

/** The newest evaluation of this policy alone: how far it is while it goes on, and what came of it. */
export function RunsOf({ policy: { id, kind } }: { readonly policy: Policy }) {
  const may = useMay();
  const query = { policyId: [id], size: 1 };
  const { data } = useQuery({
    enabled: kind === "posture" && may("ai-evaluation:read"),
    queryKey: listKey("evaluation_run", query),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/evaluations/runs", { params: { query }, signal })).data,
    refetchInterval: ({ state }) => (isGoingOn(state.data?.items[0]?.status) ? 1_500 : false),
  });
  const run = data?.items[0];
  if (!run) return null;
  if (isGoingOn(run.status)) {
    const { done, total } = run.progress;
    return <Progress label={words.running} done={done} total={run.status === "queued" ? null : total} />;
  }
  return (
    <p className="muted" role="status">
      {words.over(words.states[run.status] ?? run.status, run.progress.done, run.counts.fail)}{" "}
      <Time at={run.finishedAt} age />
    </p>
  );
}

const isGoingOn = (status: string | undefined) => status === "queued" || status === "running";
