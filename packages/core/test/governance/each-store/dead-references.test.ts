import type { Scene, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { gatesOf, POLICIES } from "../../helpers/gates.js";
import { createWorld } from "../../helpers/world.js";

const FRAMEWORKS = "/api/v1/ai/compliance/frameworks";

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const framework = (policyRules: readonly string[], id = "C 1") => ({
  ...{ name: "Ours", publisher: "Us", edition: "1" },
  controls: [{ id, title: "One", kind: "automated", policyRules }],
});
const rules = (controls: readonly string[]) => [{ key: "holds", assert: "asset.hasTeam", message: "x", controls }];

describe.each(["a", "b"] as const)("G10 a dead reference, in tenant %s,", (name) => {
  const scene = (): Scene => world[name];
  const at = () => gatesOf(world, scene());
  const faults = ({ status, json }: { status: number; json: { errors?: { pointer: string; code: string }[] } }) => [
    status,
    json.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
  ];

  it("to a control is refused in the rules of a new policy, of a changed one, and by validation", async () => {
    const body = { key: scene().unique().toLowerCase() };
    const dead = ["nist-ai-rmf-1.0:GOVERN 1.6", "nope:1", "nist-ai-rmf-1.0:GOVERN 99"];
    const reported = ["/rules/0/controls/1 unknown_control", "/rules/0/controls/2 unknown_control"];
    expect(faults(await at().ask("POST", POLICIES, { ...body, rules: rules(dead) }))).toEqual([400, reported]);
    const { id } = await at().done("POST", POLICIES, { ...body, rules: rules(dead.slice(0, 1)) });
    expect(faults(await at().ask("PUT", `${POLICIES}/${id}`, { rules: rules(dead) }))).toEqual([400, reported]);
    const checked = await at().done("POST", `${POLICIES}/validate`, { ...body, rules: rules(dead) });
    expect(checked).toMatchObject({ valid: false, faults: [{ code: "unknown_control" }, {}] });
  });

  it("to a control of another tenant's framework is one", async () => {
    await gatesOf(world, world[name === "a" ? "b" : "a"]).done("PUT", `${FRAMEWORKS}/ours`, framework([]));
    const body = { key: scene().unique().toLowerCase(), rules: rules(["ours:C 1"]) };
    expect((await at().ask("POST", POLICIES, body)).status).toBe(400);
    await at().done("PUT", `${FRAMEWORKS}/ours`, framework([]));
    expect((await at().ask("POST", POLICIES, body)).status).toBe(201);
  });

  it("that a policy has kept does not stop other changes of it", async () => {
    await at().done("PUT", `${FRAMEWORKS}/ours`, framework([]));
    const key = scene().unique().toLowerCase();
    const { id } = await at().done("POST", POLICIES, { key, rules: rules(["ours:C 1"]) });
    await at().done("PUT", `${FRAMEWORKS}/ours`, framework([], "C 2"));
    const kept = { description: "changed", rules: [{ ...rules(["ours:C 1"])[0], message: "other" }] };
    expect((await at().done("PUT", `${POLICIES}/${id}`, kept)).description).toBe("changed");
  });

  it("to a policy or rule is refused in a framework, unless a pack has it or the framework had it", async () => {
    const key = scene().unique().toLowerCase();
    const { id } = await at().done("POST", POLICIES, { key, rules: rules([]) });
    const put = (policyRules: readonly string[]) => at().ask("PUT", `${FRAMEWORKS}/ours`, framework(policyRules));
    const dead = [key, `${key}/holds`, "session-limits", "no-such-policy", `${key}/no-such-rule`];
    expect(faults(await put(dead))).toEqual([
      400,
      ["/controls/0/policyRules/3 invalid_reference", "/controls/0/policyRules/4 invalid_reference"],
    ]);
    expect((await put(dead.slice(0, 3))).status).toBe(200);
    await at().done("DELETE", `${POLICIES}/${id}`);
    expect((await put(dead.slice(0, 3))).status).toBe(200);
    expect((await put([...dead.slice(0, 3), key.concat("x")])).status).toBe(400);
  });

  it("of a policy to assets that there are none of is shown after three runs, until it matches or is disabled", async () => {
    const provider = scene().unique();
    const id = await at().policy("asset.hasTeam", { selector: { expression: `asset.provider == "${provider}"` } });
    const read = async () => (await at().done("GET", `${POLICIES}/${id}`)).unmatchedRuns;
    const attention = async () =>
      (await at().done("GET", "/api/v1/ai/overview?size=100")).attention.items.filter(
        ({ kind }: { kind: string }) => kind === "policies_unmatched",
      );
    const listed = async () =>
      (await at().done("GET", `${POLICIES}?unmatched=true`)).items.map((policy: { id: string }) => policy.id);
    expect(await read()).toBe(0);
    for (const runs of [1, 2]) {
      await at().run();
      expect([await read(), await attention(), await listed()]).toEqual([runs, [], []]);
    }
    await at().run({ scope: { assetIds: [await scene().newAsset()] } });
    expect(await read()).toBe(2);
    for (const _more of [3, 4]) await at().run();
    expect([await read(), await listed()]).toEqual([3, [id]]);
    expect(await attention()).toMatchObject([{ count: 1, severity: "low" }]);
    const found = await scene().newAsset({ provider });
    await at().run();
    expect([await read(), await attention()]).toEqual([0, []]);
    await at().done("DELETE", `/api/v1/ai-assets/${found}`);
    for (const _again of [1, 2, 3]) await at().run();
    expect(await listed()).toEqual([id]);
    await at().done("PUT", `${POLICIES}/${id}`, { status: "disabled", reason: "It matches nothing at all." });
    expect([await listed(), await attention()]).toEqual([[], []]);
  });
});
