import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset, Finding, List, Policy, Run } from "../wire.js";

const GOVERNANCE = "/api/v1/ai-governance";
const HALTS = "/api/v1/ai/halts";
const KEY = "no-prohibited-use";

interface Halt {
  readonly id: string;
  readonly status: string;
  readonly findingSeverity: string | null;
  readonly liftRequest: { readonly by: string } | null;
}

/** An asset that may not be used, and the critical finding about it. */
interface Prohibited {
  readonly asset: Asset;
  readonly finding: Finding;
}

/** A critical finding halts all agents, and it takes two people to lift that. */
export async function haltForFinding(story: Story): Promise<void> {
  chapter("A halt that takes two people", "What a critical finding has stopped, nobody lets go on alone.");
  const prohibited = await findProhibited(story, "Scores of neighbours");
  await lift(story, await haltAgents(story, prohibited));
  await retire(story, prohibited);
}

/** Registers an agent that may not be used, and has a policy find it. */
export async function findProhibited(story: Story, name: string): Promise<Prohibited> {
  const ada = known(story.ada, "Ada").client;
  const grace = known(story.grace, "Grace").client;
  const fields = { assetType: "agent", name, riskTier: "prohibited" };
  const { body: asset } = await ada.post<Asset>("/api/v1/ai-assets", fields);
  const { body: policies } = await ada.get<List<Policy>>(`${GOVERNANCE}/policies?size=100`);
  const policy = known(
    policies.items.find(({ key }) => key === KEY),
    `the policy ${KEY}`,
  );
  if (policy.status !== "active") await grace.put(`${GOVERNANCE}/policies/${policy.id}`, { status: "active" });
  const { body: run } = await ada.post<Run>(`${GOVERNANCE}/evaluations/run`, { name: `After “${name}”` });
  // Rules that cannot tell about an asset, such as a model without an end, are errors of theirs.
  expectTrue("the run is over", run.status.startsWith("completed"), run);
  const found = await ada.get<List<Finding>>(`${GOVERNANCE}/findings?assetId=${asset.id}&policyId=${policy.id}`);
  const finding = known(found.body.items[0], "a finding about the newcomer");
  expectSame("it is critical", finding.effectiveSeverity, "critical");
  note(finding.message);
  return { asset, finding };
}

/** Halts all agents because of a finding. Returns the id of the halt. */
export async function haltAgents(story: Story, { finding }: Prohibited): Promise<string> {
  const reason = "Agents may have read the scores.";
  const halt = { scope: "all_agents", findingId: finding.id, reason };
  const { body: halted } = await known(story.grace, "Grace").client.post<Halt>(HALTS, halt);
  done(`Grace halts all agents because of it: “${reason}”`);
  return halted.id;
}

/** Has two people lift a halt. */
export async function lift(story: Story, id: string): Promise<void> {
  const ada = known(story.ada, "Ada").client;
  const grace = known(story.grace, "Grace").client;
  const ask = (client: typeof ada, expect: number) =>
    client.post<Halt>(`${HALTS}/${id}/lift`, { reason: "No agent has read them." }, { expect });
  const asked = (await ask(grace, 200)).body;
  expectTrue("it is asked for, and stays", asked.status === "active" && asked.liftRequest !== null, asked);
  done("Grace wants it lifted: it stays, until somebody else wants the same");
  await ask(grace, 403);
  refused("Grace once more: 403 self_approval_forbidden");
  story.refusals += 1;
  expectSame("it is lifted", (await ask(ada, 200)).body.status, "lifted");
  done("Ada wants the same: agents go on");
}

export async function retire(story: Story, { asset }: Prohibited): Promise<void> {
  const retired = { status: "retired", reason: "Nobody may have it." };
  await known(story.ada, "Ada").client.patch(`/api/v1/ai-assets/${asset.id}/lifecycle`, retired);
  done(`Ada retires “${asset.name}”`);
}
