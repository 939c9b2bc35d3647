import { ConnectorError, type DiscoveredAsset } from "@reeve/core/connectors";
import { type Actor, newActiveInstance, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventsOf } from "../../helpers/facts.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
/** Names of models differ from test to test, because assets of one name are a conflict. */
let salt = "";
beforeAll(async () => {
  // Tests move the clock by hours.
  world = await createWorld({ tokenLifetime: 86_400 });
});

beforeEach(() => {
  salt = world.a.unique();
});

const by = (role: keyof World["a"]["actors"]) => world.a.actors[role];
const ask = (method: string, path: string, body?: object, as: Actor = by("owner")) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const goOn = () => world.controlPlane.tick();

const model = (id: string, more: Partial<DiscoveredAsset> = {}): DiscoveredAsset => ({
  externalId: id,
  assetType: "model",
  name: `Model ${id} of ${salt}`,
  record: { modelId: id },
  ...more,
});

/** A connection to an account that lists these. */
async function connected(assets: readonly DiscoveredAsset[]) {
  const account = world.a.unique();
  world.scripted.list(account, assets);
  const id = await newActiveInstance(world.a, { name: account, configuration: { account } });
  return { id, account, path: `/api/v1/integrations/${id}` };
}

/** A plan that waits for a confirmation. */
async function planned(path: string, body: object = {}) {
  const { status, text, json } = await ask("POST", `${path}/imports`, body);
  expect(status, text).toBe(201);
  await goOn();
  const at = `${path}/imports/${json.id}`;
  return { at, plan: (await ask("GET", at)).json };
}

const itemsOf = async (at: string) =>
  (await ask("GET", `${at}/items?size=100`)).json.items as {
    action: string;
    externalId: string;
    [name: string]: unknown;
  }[];

async function imported(path: string, more: object = { selection: "all" }) {
  const { at, plan } = await planned(path);
  const confirmed = await ask("POST", `${at}/confirm`, { planHash: plan.planHash, ...more });
  expect(confirmed.status, confirmed.text).toBe(200);
  await goOn();
  return { at, done: (await ask("GET", at)).json };
}

const assetsOf = async (account: string) => {
  const { json } = await ask("GET", "/api/v1/ai-assets?size=100");
  return json.items.filter((asset: { externalRef?: { source?: string } }) => asset.externalRef?.source === account);
};

describe("an import", () => {
  it("plans what it would do, and does nothing before somebody confirms it", async () => {
    const { account, path } = await connected([model("a"), model("b", { found: [{ location: "models/b", line: 3 }] })]);
    const { plan, at } = await planned(path);
    expect(plan).toMatchObject({
      status: "awaiting_confirmation",
      complete: true,
      anomaly: null,
      counts: { create: 2, update: 0, link: 0, unchanged: 0, conflict: 0, retire: 0, rejected: 0 },
      planHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await itemsOf(at)).map(({ action, externalId, result }) => [action, externalId, result])).toEqual(
      expect.arrayContaining([
        ["create", "a", null],
        ["create", "b", null],
      ]),
    );
    expect(await assetsOf(account)).toEqual([]);
  });

  it("registers what was confirmed as discovered, without an owner, with where it was found", async () => {
    const found = [{ location: "acme/app/.mcp.json", revision: "4f2c", line: 7 }];
    const { account, path } = await connected([model("a", { found, ownerHint: "ann@example.test", tags: ["beta"] })]);
    const { done } = await imported(path);
    expect(done).toMatchObject({ status: "completed", done: 1, failed: 0, confirmedBy: by("owner").userId });
    expect(await assetsOf(account)).toMatchObject([
      {
        provider: account,
        name: `Model a of ${salt}`,
        status: "discovered",
        source: "connector",
        owner: null,
        governanceState: "unreviewed",
        createdBy: by("owner").userId,
        evidence: [{ source: account, detail: "acme/app/.mcp.json at 4f2c, line 7" }],
        metadata: { ownerHint: "ann@example.test", tags: ["beta"] },
        externalRef: { source: account, id: "a" },
      },
    ]);
  });

  it("has a finding of each asset that nobody owns, which naming an owner resolves", async () => {
    const governance = "/api/v1/ai-governance";
    expect((await ask("POST", `${governance}/policy-packs/foundation/install`)).status).toBe(200);
    const policies = (await ask("GET", `${governance}/policies?size=100`)).json.items;
    const { id: policyId } = policies.find(({ key }: { key: string }) => key === "owner-required");
    expect((await ask("PUT", `${governance}/policies/${policyId}`, { status: "active" })).status).toBe(200);
    const { account, path } = await connected([model("a")]);
    await imported(path);
    const [asset] = await assetsOf(account);
    const unowned = async () => {
      world.clock.advance(3_600_000); // Assets are evaluated once an hour.
      await goOn();
      const path = `${governance}/findings?assetId=${asset.id}&policyId=${policyId}`;
      return (await ask("GET", path)).json.items.map(({ status }: { status: string }) => status);
    };
    expect(await unowned()).toEqual(["open"]);
    const owned = { owner: { type: "user", id: by("owner").userId } };
    expect((await ask("PUT", `/api/v1/ai-assets/${asset.id}`, owned)).status).toBe(200);
    expect(await unowned()).toEqual(["resolved"]);
  });

  it("again finds all unchanged, and moves when they were last seen", async () => {
    const { account, path } = await connected([model("a"), model("b")]);
    await imported(path);
    const before = (await assetsOf(account))[0];
    world.clock.advance(3_600_000);
    const { plan } = await planned(path);
    expect(plan.counts).toMatchObject({ unchanged: 2, create: 0 });
    const after = (await ask("GET", `/api/v1/ai-assets/${before.id}`)).json;
    expect(after.lastSeenAt > before.lastSeenAt).toBe(true);
    expect(after.updatedAt).toBe(before.updatedAt);
  });

  it("of a find that has moved keeps both places as evidence, without a change for anybody to confirm", async () => {
    const at = (location: string, line: number) => [{ location, revision: "4f2c", line }];
    const { account, path } = await connected([model("a", { found: at("app/.mcp.json", 3) }), model("b")]);
    await imported(path);
    const [before] = (await assetsOf(account)).filter((one: { name: string }) => one.name.startsWith("Model a"));
    world.clock.advance(60_000);
    world.scripted.list(account, [model("a", { found: at("lib/.mcp.json", 9) }), model("b")]);
    expect((await planned(path)).plan.counts).toMatchObject({ unchanged: 2, update: 0 });
    const after = (await ask("GET", `/api/v1/ai-assets/${before.id}`)).json;
    expect(after.evidence).toMatchObject([
      { source: account, detail: "app/.mcp.json at 4f2c, line 3", at: before.evidence[0].at },
      { source: account, detail: "lib/.mcp.json at 4f2c, line 9" },
    ]);
    expect(after.evidence[1].at > before.evidence[0].at).toBe(true);
    expect([after.updatedAt, after.lastSeenAt > before.lastSeenAt]).toEqual([before.updatedAt, true]);
    world.clock.advance(60_000);
    await planned(path);
    expect((await ask("GET", `/api/v1/ai-assets/${before.id}`)).json.evidence).toEqual(after.evidence);
    const [other] = (await assetsOf(account)).filter((one: { name: string }) => one.name.startsWith("Model b"));
    expect(other.evidence).toHaveLength(1);
  });

  it("changes only what the target says otherwise, and keeps what people have said", async () => {
    const { account, path } = await connected([model("a", { description: "One", metadata: { size: 1, gone: true } })]);
    await imported(path);
    const [asset] = await assetsOf(account);
    const owner = { type: "user", id: by("member").userId };
    const said = { purpose: "Ours", owner, metadata: { ...asset.metadata, note: "kept" } };
    const changed = await ask("PUT", `/api/v1/ai-assets/${asset.id}`, said);
    expect(changed.status, changed.text).toBe(200);
    world.scripted.list(account, [model("a", { name: "Renamed", description: "One", metadata: { size: 2 } })]);
    const { at, plan } = await planned(path);
    expect(plan.counts).toMatchObject({ update: 1, create: 0 });
    expect(await itemsOf(at)).toMatchObject([
      {
        action: "update",
        assetId: asset.id,
        matchedBy: "provenance",
        differences: [
          { field: "name", before: `Model a of ${salt}`, after: "Renamed" },
          { field: "metadata.gone", before: true, after: null },
          { field: "metadata.size", before: 1, after: 2 },
        ],
      },
    ]);
    await ask("POST", `${at}/confirm`, { planHash: plan.planHash, selection: "all" });
    await goOn();
    expect((await ask("GET", `/api/v1/ai-assets/${asset.id}`)).json).toMatchObject({
      name: "Renamed",
      purpose: "Ours",
      owner: { id: by("member").userId },
      metadata: { size: 2, note: "kept" },
    });
  });

  it.each([
    ["ends an approval by a material change", null, "under_review", null],
    ["lets it stand for the days that the tenant gives, in review from then on", 2, "approved", 2],
  ])("%s", async (_does, reReviewDays, governanceState, days) => {
    const { account, path } = await connected([model("a", { environment: "staging" })]);
    await imported(path);
    const [{ id }] = await assetsOf(account);
    const at = `/api/v1/ai-assets/${id}`;
    const govern = async (as: Actor, status: string) =>
      ask("PATCH", `${at}/governance-state`, { status, reason: "because a test wants it so" }, as);
    await govern(by("owner"), "under_review");
    expect((await govern(by("approver"), "approved")).status).toBe(200);
    expect((await ask("PATCH", "/api/v1/tenant/settings", { reReviewDays })).status).toBe(200);
    world.scripted.list(account, [model("a", { environment: "production" })]);
    const { done } = await imported(path);
    expect(done).toMatchObject({ status: "completed", counts: { update: 1 } });
    const reviewUntil = days === null ? null : new Date(world.clock.now() + days * 86_400_000).toISOString();
    expect((await ask("GET", at)).json).toMatchObject({ environment: "production", governanceState, reviewUntil });
    const { json } = await ask("GET", `/api/v1/reviews?assetId=${id}`, undefined, by("approver"));
    expect(json.items).toMatchObject([{ kind: "asset_review", dueAt: reviewUntil }]);
    await ask("PATCH", "/api/v1/tenant/settings", { reReviewDays: null });
  });

  it("never takes over what another connection brought or what has the same name", async () => {
    const first = await connected([model("shared", { provider: "acme" })]);
    await imported(first.path);
    const named = await world.a.newAsset({ assetType: "model", name: "A twin" });
    const second = await connected([model("shared", { provider: "acme" }), model("x", { name: "a TWIN" })]);
    const { at, plan } = await planned(second.path);
    expect(plan.counts).toMatchObject({ conflict: 2, create: 0, link: 0 });
    expect(await itemsOf(at)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ externalId: "shared", action: "conflict", matchedBy: "external_id" }),
        expect.objectContaining({ externalId: "x", action: "conflict", matchedBy: "name", candidates: [named] }),
      ]),
    );
    const ids = (await itemsOf(at)).map(({ id }) => id);
    await ask("POST", `${at}/confirm`, { planHash: plan.planHash, selection: ids });
    await goOn();
    expect((await ask("GET", at)).json).toMatchObject({ status: "completed", done: 0 });
    expect(await assetsOf(second.account)).toEqual([]);
  });

  it("ties a conflict to the candidate that the confirmation names, and to nothing else", async () => {
    const first = await connected([model("common", { provider: "acme" })]);
    await imported(first.path);
    const [asset] = await assetsOf(first.account);
    const other = await world.a.newAsset();
    const second = await connected([model("common", { provider: "acme" })]);
    const { at, plan } = await planned(second.path);
    const [line] = await itemsOf(at);
    const confirm = (merge: object) => ask("POST", `${at}/confirm`, { planHash: plan.planHash, merge });
    for (const merge of [{ [line?.id as string]: other }, { iit_00000000000000000000000000: asset.id }]) {
      const { status, json } = await confirm(merge);
      expect([status, json.errors?.[0]?.pointer]).toEqual([400, `/merge/${Object.keys(merge)[0]}`]);
    }
    expect((await confirm({ [line?.id as string]: asset.id })).status).toBe(200);
    await goOn();
    expect((await ask("GET", at)).json).toMatchObject({ status: "completed", done: 1 });
    expect((await planned(second.path)).plan.counts).toMatchObject({ unchanged: 1, conflict: 0 });

    // What one system has no more, and the other one still has, is not retired.
    world.scripted.list(second.account, []);
    const gone = await planned(second.path);
    expect(gone.plan.counts).toMatchObject({ retire: 0 });
    expect((await ask("GET", `/api/v1/ai-assets/${asset.id}`)).json.status).toBe("discovered");
  });

  it("ties an asset that is registered by hand to where it comes from", async () => {
    const registered = await world.a.newAsset({ assetType: "model", provider: "acme", externalRef: { id: "by-hand" } });
    const { path } = await connected([model("by-hand", { provider: "acme" })]);
    const { done } = await imported(path);
    expect(done).toMatchObject({ counts: { link: 1 }, done: 1 });
    expect((await planned(path)).plan.counts).toMatchObject({ unchanged: 1, link: 0 });
    expect((await ask("GET", `/api/v1/ai-assets/${registered}`)).json.evidence.length).toBeGreaterThan(0);
  });
});

describe("what a target has no more", () => {
  it("is retired only where the confirmation says so", async () => {
    const { account, path } = await connected([model("a"), model("b")]);
    await imported(path);
    world.scripted.list(account, [model("a")]);
    const { at, plan } = await planned(path);
    expect(plan).toMatchObject({ counts: { retire: 1, unchanged: 1 }, anomaly: null });
    const confirm = (more: object) => ask("POST", `${at}/confirm`, { planHash: plan.planHash, ...more });
    await confirm({ selection: "all", allowRetire: true });
    await goOn();
    expect((await ask("GET", at)).json).toMatchObject({ status: "completed", done: 1 });
    const states = (await assetsOf(account)).map((asset: { status: string }) => asset.status);
    expect(states.sort()).toEqual(["discovered", "retired"]);
  });

  it("is nothing of the types that an import does not ask for, and they do not count as known", async () => {
    const server: DiscoveredAsset = { externalId: "s", assetType: "mcp_server", name: `Server of ${salt}` };
    const { account, path } = await connected([model("a"), model("b"), server]);
    await imported(path);
    world.scripted.list(account, [model("a"), server]);
    const { plan } = await planned(path, { assetTypes: ["model"] });
    expect(plan).toMatchObject({ complete: true, counts: { unchanged: 1, retire: 1 }, anomaly: null });
    world.scripted.list(account, [server]);
    const none = await planned(path, { assetTypes: ["model"] });
    expect(none.plan).toMatchObject({ counts: { retire: 2 }, anomaly: { missing: 2, known: 2 } });
    const retired = (await itemsOf(none.at)).map(({ externalId }) => externalId);
    expect(retired.sort()).toEqual(["a", "b"]);
  });

  it("is a conflict once it is listed again, until somebody brings it back", async () => {
    const { account, path } = await connected([model("a"), model("b")]);
    await imported(path);
    world.scripted.list(account, [model("a")]);
    await imported(path, { selection: "all", allowRetire: true });
    world.scripted.list(account, [model("a"), model("b")]);
    const { at, plan } = await planned(path);
    expect(plan.counts).toMatchObject({ unchanged: 1, conflict: 1, update: 0, retire: 0 });
    const retired = (await assetsOf(account)).find(({ status }: { status: string }) => status === "retired");
    const line = (await itemsOf(at)).find(({ action }) => action === "conflict");
    expect(line).toMatchObject({ externalId: "b", matchedBy: "provenance", candidates: [retired.id] });
    const merge = { [line?.id as string]: retired.id };
    await ask("POST", `${at}/confirm`, { planHash: plan.planHash, merge });
    await goOn();
    expect((await ask("GET", at)).json).toMatchObject({ status: "completed", done: 1, failed: 0 });
    const asset = `/api/v1/ai-assets/${retired.id}`;
    expect((await ask("GET", asset)).json.status).toBe("retired");
    const back = await ask("PUT", asset, { status: "registered", reason: "It is in use again after all." });
    expect(back.status, back.text).toBe(200);
    expect((await planned(path)).plan.counts).toMatchObject({ unchanged: 2, conflict: 0 });
  });

  it("is not believed when all of it is gone at once, until somebody has looked", async () => {
    const { account, path } = await connected([model("a"), model("b")]);
    await imported(path);
    world.scripted.list(account, []);
    const { at, plan } = await planned(path);
    expect(plan).toMatchObject({ counts: { retire: 2 }, anomaly: { missing: 2, known: 2 } });
    const confirm = (more: object) =>
      ask("POST", `${at}/confirm`, { planHash: plan.planHash, selection: "all", allowRetire: true, ...more });
    expect((await confirm({})).json).toMatchObject({ status: 409, code: "anomaly_pending" });
    expect((await confirm({ acceptAnomaly: true })).json).toMatchObject({ status: "importing" });
  });

  it("adds up over an hour, so that many plausible readings are not taken for plausible", async () => {
    const all = Array.from({ length: 40 }, (_unused, at) => model(`m-${at}`));
    const { account, path } = await connected(all);
    await imported(path);
    world.scripted.list(account, all.slice(7));
    const first = await imported(path, { selection: "all", allowRetire: true });
    expect(first.done).toMatchObject({ status: "completed", anomaly: null, counts: { retire: 7 } });
    world.clock.advance(30 * 60_000);
    world.scripted.list(account, all.slice(14));
    const { at, plan } = await planned(path);
    expect(plan).toMatchObject({ counts: { retire: 7 }, anomaly: { missing: 7, known: 33, recent: 7 } });
    const confirm = { planHash: plan.planHash, selection: "all", allowRetire: true };
    expect((await ask("POST", `${at}/confirm`, confirm)).json.code).toBe("anomaly_pending");
    world.clock.advance(31 * 60_000);
    expect((await planned(path)).plan).toMatchObject({ counts: { retire: 7 }, anomaly: null });
  });

  it("is not concluded from a listing that failed", async () => {
    const { account, path } = await connected([model("a")]);
    await imported(path);
    world.scripted.fail(account, new ConnectorError("auth", "The key is refused."));
    const { plan } = await planned(path);
    expect(plan).toMatchObject({
      status: "failed",
      complete: false,
      counts: { retire: 0 },
      failure: { errorClass: "auth", message: "The key is refused." },
    });
    expect((await assetsOf(account))[0].status).toBe("discovered");
  });
});

describe("a confirmation", () => {
  it("registers no more than the tenant may have", async () => {
    const { totalItems: there } = (await ask("GET", "/api/v1/ai-assets?size=1")).json;
    const path = `tenants/${world.a.tenantId}/entitlements/limit/assets`;
    await providerOf(world).post(path, { configuration: { value: there + 2 } });
    const { path: at } = await connected([model("l1"), model("l2"), model("l3"), model("l4")]);
    expect((await imported(at)).done).toMatchObject({ status: "partially_completed", done: 2, failed: 2 });
    expect((await ask("GET", "/api/v1/ai-assets?size=1")).json.totalItems).toBe(there + 2);
    await providerOf(world).post(path, { status: "revoked" });
  });

  it("is of exactly the plan that was seen", async () => {
    const { path } = await connected([model("a")]);
    const { at, plan } = await planned(path);
    const other = plan.planHash.replace(/^./, (first: string) => (first === "0" ? "1" : "0"));
    expect((await ask("POST", `${at}/confirm`, { planHash: other })).json.code).toBe("plan_changed");
    expect((await ask("POST", `${at}/confirm`, {})).json.errors).toMatchObject([{ pointer: "/planHash" }]);
    expect((await ask("GET", at)).json.status).toBe("awaiting_confirmation");
  });

  it("counts once, whoever repeats it", async () => {
    const { account, path } = await connected([model("a")]);
    const { at, plan } = await planned(path);
    const confirm = (as: Actor) => ask("POST", `${at}/confirm`, { planHash: plan.planHash }, as);
    const both = await Promise.all([confirm(by("owner")), confirm(by("admin"))]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await goOn();
    const again = await confirm(by("admin"));
    expect([again.status, again.json.status]).toEqual([200, "completed"]);
    expect(await assetsOf(account)).toHaveLength(1);
  });

  it("of a plan for another configuration is refused", async () => {
    const { id, path } = await connected([model("a")]);
    const { at, plan } = await planned(path);
    const body = { configuration: { region: "us" }, skipTest: true, reason: "Moved to another region." };
    const patched = await ask("PATCH", `/api/v1/connector-instances/${id}`, body);
    expect(patched.status, patched.text).toBe(200);
    expect((await ask("POST", `${at}/confirm`, { planHash: plan.planHash })).json.code).toBe("plan_changed");
  });

  it("by somebody who has lost the right stops the import, and says so", async () => {
    const { account, path } = await connected([model("a")]);
    const { at, plan } = await planned(path);
    const leaver = await world.a.newUser(["operator"]);
    expect((await ask("POST", `${at}/confirm`, { planHash: plan.planHash }, leaver)).status).toBe(200);
    const gone = await ask("PATCH", `/api/v1/users/${leaver.userId}`, { status: "disabled" });
    expect(gone.status, gone.text).toBe(200);
    await goOn();
    expect((await ask("GET", at)).json).toMatchObject({
      status: "partially_completed",
      done: 0,
      failure: { code: "confirmer_without_right" },
    });
    expect(await assetsOf(account)).toEqual([]);
  });
});

describe("imports of a connection", () => {
  it("are one at a time, and a later plan supersedes one that waits", async () => {
    const { path } = await connected([model("a")]);
    const begin = () => ask("POST", `${path}/imports`, {});
    const both = await Promise.all([begin(), begin()]);
    expect(new Set(both.map(({ json }) => json.id)).size).toBe(1);
    await goOn();
    const later = await begin();
    expect(later.json.id).not.toBe(both[0]?.json.id);
    expect((await ask("GET", `${path}/imports/${both[0]?.json.id}`)).json.status).toBe("superseded");
  });

  it("are cancelled while they have changed nothing", async () => {
    const { path } = await connected([model("a")]);
    const { at } = await planned(path);
    const cancelled = await ask("POST", `${at}/cancel`, { reason: "The wrong account was connected." });
    expect(cancelled.json.status).toBe("cancelled");
    await goOn();
    expect((await ask("GET", at)).json.status).toBe("cancelled");
  });

  it("reject entries that cannot be used one by one, and the second of one id", async () => {
    const listed = [model("a"), model("a"), model(""), model("c", { assetType: "thing" }), model("d")];
    const { path } = await connected(listed);
    const { plan, at } = await planned(path);
    expect(plan).toMatchObject({ counts: { create: 2, rejected: 3 } });
    expect((await itemsOf(at)).map(({ externalId }) => externalId).sort()).toEqual(["a", "d"]);
  });

  it("are imported at once where only new ones are wanted", async () => {
    const { account, path } = await connected([model("a")]);
    const begun = await ask("POST", `${path}/import`, {});
    expect([begun.status, begun.json.mode]).toEqual([201, "create"]);
    await goOn();
    expect(await assetsOf(account)).toHaveLength(1);
  });

  it("are found by no other tenant", async () => {
    const { path } = await connected([model("a")]);
    const { at, plan } = await planned(path);
    const stranger = world.b.actors.owner;
    for (const [method, where, body] of [
      ["GET", at],
      ["GET", `${at}/items`],
      ["POST", `${at}/confirm`, { planHash: plan.planHash }],
      ["POST", `${path}/imports`, {}],
    ] as const)
      expect((await ask(method, where, body, stranger)).status, where).toBe(404);
  });

  it("stand in the activity with who confirmed them", async () => {
    const { id, path } = await connected([model("a")]);
    const { done } = await imported(path);
    const events = (await eventsOf(world.a)).map(({ data }) => JSON.parse(data as string));
    const steps = events.filter(({ entity }) => entity?.id === done.id).map(({ from, to, event }) => [from, to, event]);
    expect(steps).toContainEqual(["awaiting_confirmation", "importing", "confirm"]);
    expect(id).toBe(done.connectorInstanceId);
  });

  it("wait a day for a confirmation", async () => {
    const { path } = await connected([model("a")]);
    const { at } = await planned(path);
    world.clock.advance(24 * 3_600_000);
    const { userId, username, password } = by("owner");
    const owner = await world.a.signIn(userId, { username, password });
    expect((await ask("GET", at, undefined, owner)).json.status).toBe("expired");
  });
});
