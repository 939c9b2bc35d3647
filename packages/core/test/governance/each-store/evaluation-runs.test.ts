import type { World } from "@reeve/testkit";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { ruleStandings } from "#families/governance/evaluations/results/standings.js";
import { workOn } from "#families/governance/evaluations/run/work.js";
import { collections } from "#reference/index.js";
import { type Store, StoreError } from "#store/index.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventsOf } from "../../helpers/facts.js";
import { afterTransaction, failing } from "../../helpers/failing-store.js";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance";
const MINUTE = 60_000;
/** More assets than one transaction of a run evaluates. */
const MANY = 450;

let world: World;
let failAt: number;
beforeEach(async () => {
  failAt = Number.POSITIVE_INFINITY;
  world = await createWorld({ tokenLifetime: 86_400 }, (store) =>
    failing(store, (_attempt, tenantId) => {
      if (tenantId !== world?.a.tenantId) return undefined;
      transactions += 1;
      return transactions >= failAt ? new StoreError("unavailable", "gone") : undefined;
    }),
  );
});
let transactions = 0;

const ask = (method: string, path: string, body?: object) =>
  world.a.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });
const collection = (wanted: string) => collections.find(({ name }) => name === wanted) as (typeof collections)[number];

/** A policy that many assets fail, and a queued run over them. */
async function waiting(): Promise<string> {
  const principal = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
  const items = Array.from({ length: MANY }, (_, n) => ({
    assetType: "dataset",
    name: `Dataset ${n}`,
    externalRef: { id: `dataset-${n}` },
  }));
  await world.controlPlane.importAssets(principal, items);
  await world.a.newPolicy("posture", {
    key: "teams",
    status: "observe",
    selector: { assetTypes: ["dataset"] },
    rules: ["one", "two", "three"].map((key) => ({ key, assert: "asset.hasTeam", message: "No team." })),
    tests: [{ name: "none", input: { asset: { assetType: "tool" } }, expect: "skip" }],
  });
  const { json } = await ask("GET", `${GOVERNANCE}/evaluations/runs?status=queued`);
  return json.items[0].id;
}
const read = async (id: string) => (await ask("GET", `${GOVERNANCE}/evaluations/runs/${id}`)).json;
const found = async (status: string) =>
  (await ask("GET", `${GOVERNANCE}/findings?size=1&status=${status}`)).json.totalItems;

describe("a run whose store fails in the middle", () => {
  it("keeps whole parts, says how far it is, and is finished by whoever takes it up when the lease is over", async () => {
    const id = await waiting();
    const before = await found("open");
    // The first transaction queues the scheduled run, the second claims this one, the third evaluates a part, and the
    // next one fails.
    failAt = transactions + 4;
    expect((await world.controlPlane.tick()).failed).toBeGreaterThan(0);
    failAt = Number.POSITIVE_INFINITY;
    const broken = await read(id);
    expect(broken).toMatchObject({ status: "running", finishedAt: null });
    expect(broken.progress.done).toBeGreaterThan(0);
    expect(broken.progress.done).toBeLessThan(broken.progress.total);
    expect(await found("open")).toBe(before + broken.counts.created);

    await world.controlPlane.tick();
    expect((await read(id)).progress).toEqual(broken.progress);
    world.clock.advance(MINUTE + 1);
    await world.controlPlane.tick();
    const done = await read(id);
    expect(done).toMatchObject({ status: "completed", counts: { pairs: MANY } });
    expect(await found("open")).toBe(before + 3 * MANY);
  });

  it("finds nothing on assets that were deleted meanwhile, and what it had found on them is closed", async () => {
    const id = await waiting();
    failAt = transactions + 4;
    await world.controlPlane.tick();
    failAt = Number.POSITIVE_INFINITY;
    const { counts } = await read(id);
    const { items } = (await ask("GET", "/api/v1/ai-assets?assetType=dataset&size=100")).json;
    const seen = (await ask("GET", `${GOVERNANCE}/findings?size=100&status=open`)).json.items;
    const early = seen.find(({ policyKey }: { policyKey: string }) => policyKey === "teams").assetId;
    for (const assetId of [items[0].id, early]) await ask("DELETE", `/api/v1/ai-assets/${assetId}`);
    world.clock.advance(MINUTE + 1);
    await world.controlPlane.tick();
    expect(await read(id)).toMatchObject({ status: "completed", counts: { evaluated: MANY - 1 } });
    expect(counts.created).toBeLessThan(3 * (MANY - 1));
    expect(await found("closed")).toBe(3);
    const left = (assetId: string) => ask("GET", `${GOVERNANCE}/findings?assetId=${assetId}`);
    expect((await left(items[0].id)).json.totalItems).toBe(0);
    expect((await left(early)).json.items[0]).toMatchObject({ status: "closed", closedReason: "asset_deleted" });
  });

  it("has rules evaluated as of its start where nothing has changed, as what it saw first may have since", async () => {
    await waiting();
    await world.controlPlane.tick();
    world.clock.advance(60 * MINUTE);
    // The run is queued and claimed, and its first part fails.
    failAt = transactions + 4;
    await world.controlPlane.tick();
    failAt = Number.POSITIVE_INFINITY;
    world.clock.advance(MINUTE + 1);
    await world.controlPlane.tick();
    const [run] = (await ask("GET", `${GOVERNANCE}/evaluations/runs?size=1`)).json.items;
    expect(run).toMatchObject({ status: "completed", trigger: "schedule", counts: { evaluated: 0 } });
    expect(run.startedAt < run.finishedAt).toBe(true);
    const { rows } = await world.store.forTenant(world.a.tenantId).find(ruleStandings, { size: 10 });
    const ofTeams = rows.filter(({ value }) => value.policyKey === "teams");
    expect(ofTeams.map(({ value }) => value.evaluatedAt)).toEqual(Array(3).fill(run.startedAt));
  });

  it("says when the policies that it goes on with are not those that it began with", async () => {
    const id = await waiting();
    failAt = transactions + 4;
    await world.controlPlane.tick();
    failAt = Number.POSITIVE_INFINITY;
    expect((await read(id)).policySetDigest).toMatch(/^[0-9a-f]{64}$/);
    const [policy] = (await ask("GET", `${GOVERNANCE}/policies?status=observe`)).json.items;
    const rules = [{ key: "one", assert: "asset.hasOwner", message: "No owner." }];
    await ask("PUT", `${GOVERNANCE}/policies/${policy.id}`, { rules });
    world.clock.advance(MINUTE + 1);
    await world.controlPlane.tick();
    const run = await read(id);
    expect(run).toMatchObject({ status: "completed", policySetDigest: null });
    expect(run.errors[0].message).toContain("Policies changed");
    const { items } = (await ask("GET", `${GOVERNANCE}/evaluations/runs?status=completed`)).json;
    const after = items.find((other: Record<string, string>) => other.trigger === "change" && other.id !== id);
    expect(after).toMatchObject({ scope: { policyIds: [policy.id] } });
  });

  it("is given up when it comes no further, and says so", async () => {
    const id = await waiting();
    const work = collection("evaluation_work");
    const home = world.store.forTenant(world.a.tenantId);
    const row = await home.get(work, id);
    if (!row) throw new Error("nobody waits for the run");
    await home.replace(work, { ...row.value, version: 2, attempts: 5 } as never, row.value);
    await world.controlPlane.tick();
    expect(await read(id)).toMatchObject({
      status: "failed",
      progress: { done: 0 },
      errors: [{ message: expect.stringContaining("5 attempts") }],
    });
    expect(await home.get(work, id)).toBeUndefined();
  });
});

describe("the events of a run", () => {
  it("are told of as one matter, however many transactions it took", async () => {
    const id = await waiting();
    const before = (await eventsOf(world.a)).length;
    expect((await world.controlPlane.tick()).failed).toBe(0);
    const reported = (await eventsOf(world.a)).slice(before).map(({ attributes }) => JSON.parse(attributes));
    const ofRun = reported.filter(({ subject, type }) => subject === id || type === "reeve.finding.opened.v1");
    expect(ofRun.length).toBeGreaterThan(MANY);
    expect(ofRun.filter(({ type }) => type === "reeve.evaluation.status.changed.v1").length).toBe(2);
    expect(new Set(ofRun.map(({ correlationid }) => correlationid)).size).toBe(1);
  });
});

describe("a worker that has lost its run", () => {
  it("does nothing more of it, and whoever has it finds each thing once", async () => {
    const id = await waiting();
    const before = await found("open");
    const { tenantId } = world.a;
    const { clock, ids } = world;
    const on = (store: Store) => ({ ...environmentOf({ store, clock }), ids });
    const other = on(world.store);
    let taken: unknown;
    // The worker claims the run and evaluates one part. Then it is silent for longer than its lease, and another worker
    // claims the run.
    const store = afterTransaction(world.store, 2, async () => {
      clock.advance(MINUTE + 1);
      await workOn(other, tenantId, id, 0);
      taken = await read(id);
    });
    await workOn(on(store), tenantId, id, MINUTE);
    expect(taken).toMatchObject({ status: "running", counts: { pairs: expect.any(Number) } });
    expect(await read(id)).toEqual(taken);
    expect(await found("open")).toBe(before + (taken as { counts: { created: number } }).counts.created);

    await workOn(other, world.b.tenantId, id, MINUTE);
    expect(await read(id)).toEqual(taken);
    await workOn(other, tenantId, id, MINUTE);
    expect(await read(id)).toMatchObject({ status: "completed", counts: { pairs: MANY } });
    expect(await found("open")).toBe(before + 3 * MANY);
  });
});

describe("evaluating twice", () => {
  const change = fc.record({
    at: fc.nat(5),
    fields: fc.record({
      team: fc.constantFrom(null, { type: "team", id: "platform" }),
      riskTier: fc.constantFrom("minimal", "high"),
      environment: fc.constantFrom("test", "production"),
    }),
  });

  it("finds, mends and closes nothing the second time, whatever has changed before the first", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await world.a.newAsset({ provider: "tested" }));
    const rules = [
      { key: "team", assert: "asset.hasTeam", message: "No team." },
      { key: "risk", when: 'asset.environment == "production"', assert: 'asset.riskTier != "high"', message: "High." },
      { key: "typed", assert: "asset.metadata.days > 1", message: "No days." },
    ];
    const test = { name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" };
    const selector = { expression: 'asset.provider == "tested"' };
    await world.a.newPolicy("posture", { key: "twice", status: "observe", selector, rules, tests: [test] });
    const run = async (mode: string) => (await ask("POST", `${GOVERNANCE}/evaluations/run`, { mode })).json;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        fc.constantFrom("full", "incremental"),
        async (all, mode) => {
          for (const { at, fields } of all) await ask("PUT", `/api/v1/ai-assets/${ids[at]}`, fields);
          const first = await run("incremental");
          expect(first.counts.error).toBe(first.counts.evaluated);
          const none = { created: 0, updated: 0, reopened: 0, resolved: 0, exempted: 0, voided: 0, closed: 0 };
          expect((await run(mode)).counts).toMatchObject(none);
        },
      ),
      { numRuns: 25 },
    );
  });
});
