import { setTimeout as wait } from "node:timers/promises";
import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { BackTest, Exemption, Finding, List, Policy, Posture, Run } from "../wire.js";

const GOVERNANCE = "/api/v1/ai-governance";
const KEY = "https-and-auth";
const FRAMEWORK = "owasp-agentic-2026";
/** How long the exemption lasts, in ms: long enough to see it, short enough to wait for its end. */
const LASTS = 4_000;

/** Enforces a policy, which finds faults of the servers. Two people approve an exemption for a time. */
export async function governFindings(story: Story): Promise<void> {
  chapter("A policy, and what it finds", "Rules are tested before they count; exceptions take two people and an end.");
  const ada = known(story.ada, "Ada").client;
  const grace = known(story.grace, "Grace").client;

  const posture = async () => {
    const { body } = await grace.get<List<Posture>>("/api/v1/ai/compliance/posture");
    return known(
      body.items.find(({ framework }) => framework === FRAMEWORK),
      `the framework ${FRAMEWORK}`,
    );
  };
  const before = await posture();
  expectSame("no policies are no pass", [before.score, before.coverage], [null, 0]);
  note(`Compliance with ${before.name}: no score, as there are no policies yet`);

  const { body: pack } = await ada.post<{ created: number }>(
    `${GOVERNANCE}/policy-packs/foundation/install`,
    {},
    { expect: 200 },
  );
  done(`The pack that comes with Reeve: ${pack.created} policies, all under observation`);
  const { body: policies } = await ada.get<List<Policy>>(`${GOVERNANCE}/policies?size=100`);
  const policy = known(
    policies.items.find(({ key }) => key === KEY),
    `the policy ${KEY}`,
  );
  const path = `${GOVERNANCE}/policies/${policy.id}`;
  const { body: tested } = await ada.post<{ passed: boolean; tests: unknown[] }>(`${path}/test`, {}, { expect: 200 });
  expectSame("its tests pass", tested.passed, true);
  const { body: tried } = await ada.post<BackTest>(`${path}/back-test`, { days: 7 }, { expect: 200 });
  const fails = known(tried.overAssets.moments.at(-1), "how it stands now").fail;
  expectTrue("it is known what it would find", tried.complete && fails > 0, tried);
  note(`Tried on the last seven days before it counts: today it would fail ${fails} assets`);
  const { body: active } = await grace.put<Policy>(path, { status: "active" });
  done(`“${active.name}”: ${tested.tests.length} tests pass, Grace puts it in force`);

  const { body: run } = await ada.post<Run>(`${GOVERNANCE}/evaluations/run`, { name: "First look" });
  const { counts } = run;
  // Jobs of the server may have looked before, and the run passes over what they have seen.
  expectSame("the run is over", run.status, "completed");
  done(`A run over ${counts.assets} assets and ${counts.pairs} pairs: ${counts.pass} pass, ${counts.fail} fail`);
  const findings = async () =>
    (await ada.get<List<Finding>>(`${GOVERNANCE}/findings?policyId=${policy.id}&assetId=${server.assetId}`)).body;
  const server = known(story.mcpRecord, "the MCP server");
  const [finding] = (await findings()).items;
  const open = known(finding, "a finding about the MCP server");
  expectSame("it stands", open.status, "open");
  note(`${open.effectiveSeverity}: ${open.message}`);
  const { body: again } = await ada.post<Run>(`${GOVERNANCE}/evaluations/run`, { mode: "full" });
  expectSame("a second run finds the same", [again.counts.created, again.counts.resolved], [0, 0]);
  done("Done again, it finds the same and nothing new");
  const { score, coverage, nonCompliant, topGaps, name } = await posture();
  expectTrue("the posture knows more", coverage > 0 && score !== null && nonCompliant > 0, { score, coverage });
  done(`Compliance with ${name}: score ${score} over ${coverage} % of the controls`);
  for (const { controlId, title, openFindings } of topGaps.slice(0, 2)) {
    note(`gap ${controlId} ${title}: ${openFindings} findings`);
  }

  const action = `${GOVERNANCE}/findings/${open.id}/review-actions`;
  await ada.post(action, { action: "acknowledge" });
  const { body: request } = await ada.post<Exemption>(`${GOVERNANCE}/exemptions`, {
    scope: { fingerprint: open.fingerprint },
    maxSeverity: "critical",
    reason: "It runs on this machine only, for the length of a tour.",
    compensatingControls: "It listens on the loopback interface.",
    expiresAt: new Date(Date.now() + LASTS).toISOString(),
  });
  const decide = `${GOVERNANCE}/exemptions/${request.id}/approve`;
  const reason = "Nobody else reaches the loopback interface.";
  await ada.patch(decide, { reason }, { expect: 403, code: "self_approval_forbidden" });
  refused("Ada approving what she has asked for: 403 self_approval_forbidden");
  story.refusals += 1;
  await grace.patch(decide, { reason }, { expect: 428, code: "precondition_required" });
  refused("Grace approving without the version that she has seen: 428 precondition_required");
  story.refusals += 1;
  await grace.patch(decide, { reason }, { headers: { "if-match": `"${request.version}"` } });
  expectSame("it is exempted", (await findings()).items[0]?.status, "exempted");
  done(`Grace grants an exemption for ${LASTS / 1_000} seconds: the finding is exempted, which is not passed`);
  await wait(LASTS);
  expectSame("it stands again", (await findings()).items[0]?.status, "acknowledged");
  done("Its time is over, and the finding stands again at that moment, as it stood before");
}
