import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset, Finding, List, Policy, Run } from "../wire.js";

const GOVERNANCE = "/api/v1/ai-governance";
const KEY = "no-prohibited-use";

interface Halt {
  readonly id: string;
  readonly status: string;
  readonly findingSeverity: string | null;
  readonly liftRequest: { readonly by: string } | null;
}

/** A critical finding halts all agents, and it takes two people to lift that. */
export async function haltForFinding(story: Story): Promise<void> {
  chapter("A halt that takes two people", "What a critical finding has stopped, nobody lets go on alone.");
  const ada = known(story.ada, "Ada").client;
  const grace = known(story.grace, "Grace").client;
  const { body: scorer } = await ada.post<Asset>("/api/v1/ai-assets", {
    assetType: "agent",
    name: "Scores of neighbours",
    riskTier: "prohibited",
  });
  const { body: policies } = await ada.get<List<Policy>>(`${GOVERNANCE}/policies?size=100`);
  const policy = known(
    policies.items.find(({ key }) => key === KEY),
    `the policy ${KEY}`,
  );
  await grace.put<Policy>(`${GOVERNANCE}/policies/${policy.id}`, { status: "active" });
  const { body: run } = await ada.post<Run>(`${GOVERNANCE}/evaluations/run`, { name: "After the newcomer" });
  // Rules that cannot tell about an asset, such as a model without an end, are errors of theirs.
  expectTrue("the run is over", run.status.startsWith("completed"), run);
  const found = await ada.get<List<Finding>>(`${GOVERNANCE}/findings?assetId=${scorer.id}&policyId=${policy.id}`);
  const finding = known(found.body.items[0], "a finding about the newcomer");
  expectSame("it is critical", finding.effectiveSeverity, "critical");
  note(finding.message);

  const reason = "Agents may have read the scores.";
  const halt = { scope: "all_agents", findingId: finding.id, reason };
  const { body: halted } = await grace.post<Halt>("/api/v1/ai/halts", halt);
  done(`Grace halts all agents because of it: “${reason}”`);
  const lift = (client: typeof ada, expect: number) =>
    client.post<Halt>(`/api/v1/ai/halts/${halted.id}/lift`, { reason: "No agent has read them." }, { expect });
  const asked = (await lift(grace, 200)).body;
  expectTrue("it is asked for, and stays", asked.status === "active" && asked.liftRequest !== null, asked);
  done("Grace wants it lifted: it stays, until somebody else wants the same");
  await lift(grace, 403);
  refused("Grace once more: 403 self_approval_forbidden");
  story.refusals += 1;
  expectSame("it is lifted", (await lift(ada, 200)).body.status, "lifted");
  done("Ada wants the same: agents go on");
  const retired = { status: "retired", reason: "Nobody may have it." };
  await ada.patch(`/api/v1/ai-assets/${scorer.id}/lifecycle`, retired);
  done(`Ada retires “${scorer.name}”`);
}
