import type { Scene, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { assets } from "#families/estate/index.js";
import { evaluationMarks } from "#families/governance/evaluations/results/marks.js";
import { ruleStandings } from "#families/governance/index.js";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance";
const DAY = 86_400_000;
const TEAM = { team: { type: "team", id: "platform" } };
/** More assets than four parts of a run have. */
const MANY = 900;
const NO_TEAM = { team: null };

let world: World;
let scene: Scene;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
});

const ask = async (method: string, path: string, body?: object) => {
  const answer = await scene.send(method, path, { token: scene.owner.token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const run = async (body: object = {}) => (await ask("POST", `${GOVERNANCE}/evaluations/run`, body)).counts;
const statusOf = async (policyId: string) =>
  (await ask("GET", `${GOVERNANCE}/findings?policyId=${policyId}`)).items.map((one: { status: string }) => one.status);
const policy = (assert: string) =>
  scene.newPolicy("posture", {
    key: scene.unique().toLowerCase(),
    status: "observe",
    selector: { expression: 'asset.provider == "tested"' },
    rules: [{ key: "holds", assert, message: "{asset.name} fails." }],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
  });
const marksOf = async (id: string) =>
  (await world.store.forTenant(scene.tenantId).getMany(evaluationMarks, [id])).length;
const change = (id: string, body: object) => ask("PUT", `/api/v1/ai-assets/${id}`, body);

describe("an asset of which nothing has changed since a run over everything", () => {
  it("is passed over with all pairs that it has a result in, and none that are elsewhere", async () => {
    await policy("asset.hasTeam");
    await policy('asset.name != ""');
    await scene.newAsset({ provider: "tested" });
    await scene.newAsset({ provider: "other" });
    expect(await run()).toMatchObject({ pairs: 2, evaluated: 2, skippedUnchanged: 0 });
    expect(await run()).toMatchObject({ pairs: 2, evaluated: 0, skippedUnchanged: 2, created: 0 });
  });

  it("is evaluated once, though the scope of a run names it twice", async () => {
    await policy("asset.hasTeam");
    const [one, other] = [await scene.newAsset({ provider: "tested" }), await scene.newAsset({ provider: "tested" })];
    const ran = await ask("POST", `${GOVERNANCE}/evaluations/run`, { scope: { assetIds: [one, other, one] } });
    expect(ran).toMatchObject({ scope: { assetIds: [one, other] }, progress: { done: 2, total: 2 } });
    expect(ran.counts).toMatchObject({ assets: 2, pairs: 2, evaluated: 2, created: 2 });
  });

  it("is still asked what time alone can change", async () => {
    const [lasting, timely] = [await policy("asset.hasTeam"), await policy("asset.ageDays < 2")];
    await scene.newAsset({ provider: "tested", ...TEAM });
    expect(await run()).toMatchObject({ evaluated: 2, fail: 0 });
    expect(await run()).toMatchObject({ evaluated: 1, skippedUnchanged: 1, fail: 0 });
    world.clock.advance(DAY / 2);
    expect(await run()).toMatchObject({ evaluated: 1, skippedUnchanged: 1, fail: 0 });
    world.clock.advance(2 * DAY - DAY / 2);
    scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
    expect(await run()).toMatchObject({ fail: 1, created: 1 });
    expect(await statusOf(timely)).toEqual(["open"]);
    expect(await statusOf(lasting)).toEqual([]);
  });

  it("is judged by a policy that was added since, and by all again once one has changed", async () => {
    const first = await policy("asset.hasTeam");
    await scene.newAsset({ provider: "tested" });
    await run();
    const second = await policy('asset.name == ""');
    expect(await run()).toMatchObject({ evaluated: 1, skippedUnchanged: 1, created: 1 });
    await ask("PUT", `${GOVERNANCE}/policies/${first}`, { severity: "critical" });
    expect(await run()).toMatchObject({ evaluated: 1, skippedUnchanged: 1, updated: 1 });
    expect(await statusOf(second)).toEqual(["open"]);
  });

  it("is not taken for one that only some policies have seen as it is now", async () => {
    const [asked, other] = [await policy("asset.hasTeam"), await policy("!asset.hasTeam")];
    const id = await scene.newAsset({ provider: "tested", ...TEAM });
    expect(await run()).toMatchObject({ evaluated: 2, created: 1 });
    await change(id, NO_TEAM);
    expect(await run({ scope: { policyIds: [asked] } })).toMatchObject({ evaluated: 1, created: 1 });
    await change(id, TEAM);
    // The asset is as it was at the first run, but what is known of one policy is not.
    expect(await run()).toMatchObject({ evaluated: 1, skippedUnchanged: 1, resolved: 1 });
    expect([await statusOf(asked), await statusOf(other)]).toEqual([["resolved"], ["open"]]);
  });

  it("is looked at anew when it comes back from retirement as it was", async () => {
    const id = await policy("asset.hasTeam");
    const assetId = await scene.newAsset({ provider: "tested" });
    const move = (status: string) =>
      ask("PATCH", `/api/v1/ai-assets/${assetId}/lifecycle`, { status, reason: "because a test wants it so" });
    await run();
    expect(await marksOf(assetId)).toBe(1);
    await move("retired");
    expect(await statusOf(id)).toEqual(["closed"]);
    expect(await marksOf(assetId)).toBe(0);
    await move("registered");
    expect(await run()).toMatchObject({ evaluated: 1, reopened: 1 });
  });

  it("is asked again by a policy that was out of force in between, and closed what it had found", async () => {
    const id = await policy("asset.hasTeam");
    const assetId = await scene.newAsset({ provider: "tested" });
    const move = (status: string) =>
      ask("PUT", `${GOVERNANCE}/policies/${id}`, { status, reason: "because a test wants it so" });
    await run();
    await move("disabled");
    expect(await statusOf(id)).toEqual(["closed"]);
    expect(await marksOf(assetId)).toBe(0);
    await move("observe");
    expect(await run()).toMatchObject({ evaluated: 1, fail: 1, reopened: 1 });
    expect(await statusOf(id)).toEqual(["open"]);
  });

  it("has findings of the revision of the policy that found them, also of one that says again what it said", async () => {
    const id = await policy("asset.hasTeam");
    const say = (assert: string) =>
      ask("PUT", `${GOVERNANCE}/policies/${id}`, {
        rules: [{ key: "holds", assert, message: "{asset.name} fails." }],
      });
    await scene.newAsset({ provider: "tested" });
    await run();
    await say("!asset.hasTeam");
    await run();
    await say("asset.hasTeam");
    expect(await run()).toMatchObject({ reopened: 1 });
    const { items } = await ask("GET", `${GOVERNANCE}/findings?policyId=${id}`);
    expect(items).toMatchObject([{ status: "open", policyRevision: 3 }]);
  });

  it("has its rules evaluated as of the run that passed it over", async () => {
    await policy("asset.hasTeam");
    await scene.newAsset({ provider: "tested" });
    await run();
    const evaluatedAt = async () => {
      const { rows } = await world.store.forTenant(scene.tenantId).find(ruleStandings, { size: 10 });
      return rows.map(({ value }) => value.evaluatedAt);
    };
    const before = await evaluatedAt();
    world.clock.advance(1_000);
    expect(await run()).toMatchObject({ evaluated: 0, skippedUnchanged: 1 });
    const after = await evaluatedAt();
    expect(after).toEqual([new Date(world.clock.now()).toISOString()]);
    expect(after).not.toEqual(before);
  });
});

describe("a run over many assets of which few have changed", () => {
  it("looks at each once and evaluates those that changed, wherever they stand among the others", async () => {
    const principal = await world.controlPlane.principalOf(scene.tenantId, scene.owner.userId);
    const items = Array.from({ length: MANY }, (_, n) => ({
      assetType: "dataset",
      name: `Dataset ${n}`,
      provider: "tested",
      externalRef: { id: `dataset-${n}` },
    }));
    await world.controlPlane.importAssets(principal, items);
    const policyId = await policy("asset.hasTeam");
    await finished();
    const stored = await world.store.forTenant(scene.tenantId).scan(assets, { size: 1_000 });
    const ids = stored.filter(({ value }) => value.provider === "tested").map(({ id }) => id);
    const changed = [650, MANY - 1].map((at) => ids[at] as string);
    for (const id of changed) await change(id, TEAM);
    await ask("POST", `${GOVERNANCE}/evaluations/run`, {});
    expect(await finished()).toMatchObject({
      progress: { done: stored.length, total: stored.length },
      counts: { assets: stored.length, pairs: MANY, evaluated: changed.length, resolved: changed.length },
    });
    const { items: resolved } = await ask("GET", `${GOVERNANCE}/findings?policyId=${policyId}&status=resolved`);
    expect(resolved.map(({ assetId }: { assetId: string }) => assetId).sort()).toEqual([...changed].sort());
  });
});

/** The last run, once all are over. */
async function finished() {
  for (;;) {
    await world.controlPlane.tick();
    const { items } = await ask("GET", `${GOVERNANCE}/evaluations/runs?size=10`);
    if (items.every(({ finishedAt }: { finishedAt: string | null }) => finishedAt !== null)) return items[0];
  }
}
