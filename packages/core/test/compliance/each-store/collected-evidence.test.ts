import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { gatesOf } from "../../helpers/gates.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance";
let world: World;
let at: ReturnType<typeof gatesOf>;
let id: string;
beforeAll(async () => {
  world = await createWorld();
  at = gatesOf(world);
  const about = { framework: "nist-ai-rmf-1.0", controlId: "GOVERN 2.2" };
  id = (await at.done("POST", PATH, about)).id;
});

const attach = (evidence: object) => at.ask("PUT", `${PATH}/${id}`, { addEvidence: [evidence] });
const attached = async (evidence: object) => {
  const { status, json, text } = await attach(evidence);
  expect(status, text).toBe(200);
  return json.evidence.at(-1);
};

describe("G9 evidence", () => {
  it("of a run that had nothing to judge is none", async () => {
    const run = await at.run();
    expect(run).toMatchObject({ status: "completed", counts: { pass: 0, fail: 0 } });
    expect(await attach({ type: "policy_result", ref: run.id })).toMatchObject({ status: 400 });
  });

  it("of a run is collected from it, with its numbers, digest and moment", async () => {
    await world.a.newPolicy("posture", { status: "observe" });
    await world.a.newAsset();
    const run = await at.run();
    const piece = await attached({ type: "policy_result", ref: run.id });
    expect(piece).toMatchObject({
      counts: run.counts,
      collectedAt: run.startedAt,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const dry = await at.run({ dryRun: true });
    expect(await attach({ type: "policy_result", ref: dry.id })).toMatchObject({ status: 400 });
  });

  it("of an asset or of events is collected too, and changes with what it is of", async () => {
    const assetId = await world.a.newAsset();
    const [snapshot, events] = [
      { type: "config_snapshot", ref: assetId },
      { type: "event_query", ref: assetId },
    ];
    const before = [await attached(snapshot), await attached(events)];
    expect(before[1].counts).toEqual({ events: 1, inAll: 1 });
    expect((await attached(snapshot)).digest).toBe(before[0].digest);
    await at.done("PUT", `/api/v1/ai-assets/${assetId}`, { purpose: "another" });
    const after = [await attached(snapshot), await attached(events)];
    expect(after.map(({ digest }) => digest)).not.toEqual(before.map(({ digest }) => digest));
    expect(after[0].digest).not.toBe(before[0].digest);
  });

  it("of what was deleted since keeps its digest, and is collected from it no more", async () => {
    const assetId = await world.a.newAsset();
    const piece = await attached({ type: "config_snapshot", ref: assetId });
    const { token } = world.a.owner;
    expect((await world.send("DELETE", `/api/v1/ai-assets/${assetId}`, { token })).status).toBe(204);
    const { evidence } = await at.done("GET", `${PATH}/${id}`);
    expect(evidence.at(-1)).toEqual(piece);
    const again = await attach({ type: "config_snapshot", ref: assetId });
    expect([again.status, again.json.errors[0].code]).toEqual([400, "invalid_reference"]);
    // Its events outlive it, and tell of its end too.
    expect((await attached({ type: "event_query", ref: assetId })).counts).toEqual({ events: 2, inAll: 2 });
  });

  it("is refused as free text, of another tenant, or with a digest or moment that the caller made up", async () => {
    const foreign = await world.b.newAsset();
    const own = await world.a.newAsset();
    const refused: [object, string][] = [
      [{ type: "policy_result", ref: "all is well" }, "ref"],
      [{ type: "config_snapshot", ref: foreign }, "ref"],
      [{ type: "event_query", ref: foreign }, "ref"],
      [{ type: "config_snapshot", ref: own, digest: "0".repeat(64) }, "digest"],
      [{ type: "config_snapshot", ref: own, collectedAt: "2020-01-01T00:00:00.000Z" }, "collectedAt"],
      [{ type: "document", ref: "a shelf" }, "digest"],
    ];
    for (const [evidence, name] of refused) {
      const { status, json } = await attach(evidence);
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(evidence)).toEqual([400, `/addEvidence/0/${name}`]);
    }
  });
});
