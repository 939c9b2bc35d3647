import type { Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { policies } from "#families/governance/index.js";
import { EXEMPTIONS, FINDINGS, REASON } from "../../helpers/findings.js";
import { gatesOf, POLICIES } from "../../helpers/gates.js";
import { changePolicy } from "../../helpers/policies.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let at: ReturnType<typeof gatesOf>;
beforeEach(async () => {
  world = await createWorld();
  at = gatesOf(world);
});

const TEAM = { team: { type: "team", id: "platform" } };
const hasTeam = "asset.hasTeam";
const keyOf = async (id: string) => (await at.done("GET", `${POLICIES}/${id}`)).key as string;

/** What a refusal says of the gates, or the status it was moved to. */
const gateDetail = ({ status, json, text }: Answer): string => {
  expect(status, text).toBe(409);
  expect(json.code).toBe("transition_guard_failed");
  const { ok, detail } = json.guards.find(({ key }: { key: string }) => key === "gatesPass");
  expect(ok).toBe(false);
  return detail;
};
const refused = async (id: string) => gateDetail(await at.promote(id));
const isPromoted = async (id: string) => {
  const { status, json, text } = await at.promote(id);
  expect([status, json.status], text).toEqual([200, "production"]);
};

describe("G1 a gate", () => {
  it("holds an asset back that no run has looked at, and names policy and rule", async () => {
    const policyId = await at.gate(hasTeam);
    const detail = await refused(await at.candidate({ name: "Lonely" }));
    expect(detail).toBe(`Policy "${await keyOf(policyId)}", rule "holds" fails: Lonely fails.`);
    await isPromoted(await at.candidate(TEAM));
  });

  it("lets through what was mended after the last run, and not what was broken after it", async () => {
    await at.gate(hasTeam);
    const [mended, broken] = [await at.candidate(), await at.candidate(TEAM)];
    await at.run();
    await at.done("PUT", `/api/v1/ai-assets/${mended}`, TEAM);
    await at.done("PUT", `/api/v1/ai-assets/${broken}`, { team: null });
    await isPromoted(mended);
    await refused(broken);
  });

  it("holds back what its rule gives no result for", async () => {
    await at.gate("asset.metadata.days > 3");
    expect(await refused(await at.candidate())).toContain('rule "holds" gives no result');
    await isPromoted(await at.candidate({ metadata: { days: 4 } }));
  });

  it("holds everything back when its stored rules do not compile any more, or it has none", async () => {
    const policyId = await at.gate(hasTeam);
    const id = await at.candidate(TEAM);
    await rewrite(policyId, { rules: [{ key: "holds", assert: "asset.nonsense", message: "x", controls: [] }] });
    expect(await refused(id)).toContain('rule "holds" gives no result');
    await rewrite(policyId, { rules: [] });
    expect(await refused(id)).toContain("has no rules");
  });

  it("guards from the moment it is put in force, and not while it is observed or disabled", async () => {
    const policyId = await at.policy(hasTeam);
    const [first, second, third] = [await at.candidate(), await at.candidate(), await at.candidate()];
    await at.run();
    await isPromoted(first);
    await at.activate(policyId);
    await refused(second);
    await changePolicy(world.a, policyId, { status: "disabled", reason: REASON });
    await isPromoted(third);
  });

  it("asks only what it applies to, and no runtime policy and none without `gate`", async () => {
    await at.gate(hasTeam, { selector: { assetTypes: ["agent"] }, tests: skips("tool") });
    await at.gate(hasTeam, { selector: { expression: 'asset.provider == "another"' }, tests: skips("tool", "gated") });
    await at.gate(hasTeam, { gate: false });
    const runtime = await world.a.newPolicy("runtime", { gate: true });
    await at.activate(runtime);
    await isPromoted(await at.candidate());
  });

  it("sees the asset as it will be", async () => {
    await at.gate('asset.lifecycle != "production" || asset.hasTeam');
    await refused(await at.candidate());
    await isPromoted(await at.candidate(TEAM));
  });

  it("counts exemptions and dismissals that are in force, and none whose evidence has changed", async () => {
    const policyId = await at.gate(hasTeam);
    const [exempted, dismissed] = [await at.candidate(), await at.candidate()];
    const scope = { policyKey: await keyOf(policyId), assetId: exempted };
    const expiresAt = new Date(world.clock.now() + 86_400_000).toISOString();
    const asked = { reason: REASON, scope, expiresAt };
    const { id } = await at.done("POST", EXEMPTIONS, asked, world.a.actors.operator);
    await refused(exempted);
    await at.decided("PATCH", `${EXEMPTIONS}/${id}/approve`, {}, world.a.owner);
    await isPromoted(exempted);

    await at.run();
    const [finding] = (await at.done("GET", `${FINDINGS}?assetId=${dismissed}`)).items;
    const review = { action: "dismiss", reasonCode: "false_positive", reason: REASON };
    await at.done("POST", `${FINDINGS}/${finding.id}/review-actions`, review);
    await isPromoted(dismissed);
  });

  it("is one guard for every door", async () => {
    await at.gate('asset.name != "gated agent"', {
      selector: { assetTypes: ["agent", "model"] },
      tests: skips("tool"),
    });
    const named = { name: "gated agent", owner: { type: "user", id: world.a.actors.operator.userId } };
    const [agent, model] = [await world.a.newAgent(named), await world.a.newModel(named)];
    const assetIdOf = async (path: string) => (await at.done("GET", path)).assetId as string;
    const agentAsset = await at.prepared(await assetIdOf(`/api/v1/ai/agents/${agent}`));
    const modelAsset = await at.prepared(await assetIdOf(`/api/v1/ai/models/${model}`));
    const asset = `/api/v1/ai-assets/${agentAsset}`;
    gateDetail(await at.ask("PATCH", `${asset}/lifecycle`, { status: "production" }));
    gateDetail(await at.ask("PUT", asset, { status: "production" }));
    gateDetail(await at.ask("PUT", `/api/v1/ai/models/${model}`, { status: "production" }));
    const owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    const promotion = { params: { id: agentAsset }, body: { status: "production" } } as const;
    const report = await world.controlPlane.batch("aiAssets.changeLifecycle", owner, [promotion]);
    expect(report).toMatchObject({ failed: 1, failures: [{ error: { code: "transition_guard_failed" } }] });
    const item = { externalRef: { id: "gated" }, name: "gated agent", assetType: "agent", status: "production" };
    const imported = await at.done("POST", "/api/v1/ai-assets/import", { items: [item] });
    expect(imported.failed).toBe(1);
    expect((await at.done("GET", `/api/v1/ai-assets/${modelAsset}`)).status).toBe("validation");
    await at.done("PUT", asset, { name: "another name", status: "production" });
  });

  it("of one tenant holds back nothing of another", async () => {
    await at.gate(hasTeam);
    const other = gatesOf(world, world.b);
    const { status } = await other.promote(await other.candidate());
    expect(status).toBe(200);
  });
});

/** A test with which a policy skips other assets. */
function skips(assetType: string, provider = "gated") {
  return [{ name: "elsewhere", input: { asset: { assetType, provider } }, expect: "skip" }];
}

/** Changes a stored policy as another version of Reeve might have left it. */
async function rewrite(id: string, patch: object): Promise<void> {
  const store = world.store.forTenant(world.a.tenantId);
  const row = await store.get(policies, id);
  if (!row) throw new Error("there is no such policy");
  const { value } = row;
  await store.replace(policies, { ...value, ...patch, digest: world.a.unique(), version: value.version + 1 }, value);
}

describe("G10 a reference to a rule", () => {
  it("that the policy does not have is refused in an exemption", async () => {
    const policyId = await at.policy(hasTeam);
    const assetId = await world.a.newAsset();
    const scope = { policyKey: await keyOf(policyId), ruleKeys: ["holds", "no-such-rule"], assetId };
    const { status, json } = await at.ask("POST", EXEMPTIONS, { reason: REASON, scope });
    expect([status, json.code, json.errors[0].pointer]).toEqual([400, "invalid_reference", "/scope/ruleKeys/1"]);
    const held = { ...scope, ruleKeys: ["holds"] };
    await at.done("POST", EXEMPTIONS, { reason: REASON, scope: held });
  });
});
