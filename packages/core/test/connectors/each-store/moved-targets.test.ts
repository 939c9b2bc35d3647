import { ConnectorError } from "@reeve/core/connectors";
import type { World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { discoveries } from "../../helpers/discoveries.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let use: ReturnType<typeof discoveries>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
beforeEach(() => {
  use = discoveries(world);
});

const SKIP = { skipTest: true, reason: "The test would call another region." };
const patch = (id: string, body: object) => use.ask("PATCH", `/api/v1/connector-instances/${id}`, body);
const elsewhere = { target: { id: "elsewhere", name: "Elsewhere" } };

/** A connection whose two models were imported. */
async function known() {
  const made = await use.connected([use.model("a"), use.model("b")]);
  await use.imported(made.path);
  return made;
}

/** The connection leads to another account, whose models have ids of the first one. */
async function moved({ id }: { readonly id: string }) {
  const account = world.a.unique();
  world.scripted.list(account, [use.model("a", { name: `Another of ${account}` }), use.model("c")]);
  return { account, settings: { configuration: { account } }, id };
}

describe("a connection that leads to another system by confirmTarget", () => {
  it.each([
    ["tested before", true],
    ["never tested before", false],
  ])("takes none of its ids for what the first one had: %s", async (_name, isTested) => {
    const made = await known();
    if (isTested) {
      await patch(made.id, { status: "disabled", reason: "To be tested again." });
      expect((await patch(made.id, { status: "active" })).json.target).not.toBeNull();
    }
    const { settings } = await moved(made);
    const confirmed = await patch(made.id, { ...settings, confirmTarget: true });
    expect(confirmed.status, confirmed.text).toBe(200);
    const { at, plan } = await use.planned(made.path);
    expect(plan).toMatchObject({
      status: "awaiting_confirmation",
      counts: { update: 0, unchanged: 0, retire: 0, conflict: 1, create: 1 },
    });
    const [asset] = (await use.assetsOf(made.account)).filter((one: { name: string }) => one.name.includes("Model a"));
    expect(await use.itemsOf(at)).toContainEqual(
      expect.objectContaining({ externalId: "a", action: "conflict", assetId: null, candidates: [asset.id] }),
    );
    await use.confirm(at, plan.planHash, { selection: "all", allowRetire: true });
    await use.tick();
    const states = (await use.assetsOf(made.account)).map((one: { status: string; name: string }) => one.status);
    expect(new Set(states)).toEqual(new Set(["discovered"]));
  });

  it("takes over what a person says is the same, from then on", async () => {
    const made = await known();
    const { settings, account } = await moved(made);
    await patch(made.id, { ...settings, confirmTarget: true });
    const { at, plan } = await use.planned(made.path);
    const line = (await use.itemsOf(at)).find(({ action }: { action: string }) => action === "conflict");
    await use.confirm(at, plan.planHash, { merge: { [line.id]: line.candidates[0] } });
    await use.tick();
    expect((await use.planned(made.path)).plan.counts).toMatchObject({ unchanged: 2, conflict: 0, retire: 0 });
    world.scripted.list(account, [use.model("c")]);
    expect((await use.planned(made.path)).plan.counts).toMatchObject({ unchanged: 1, retire: 1 });
  });

  it("without a test is found out by the import itself", async () => {
    const made = await known();
    const { settings } = await moved(made);
    expect((await patch(made.id, { ...settings, ...SKIP })).status).toBe(200);
    expect((await use.planned(made.path)).plan.counts).toMatchObject({ conflict: 1, update: 0, retire: 0 });
  });
});

describe("the identity of a target", () => {
  it("is asked again at the end of a listing, which counts for nothing where it has changed", async () => {
    const { account, path } = await known();
    world.scripted.listBy(account, () => {
      world.scripted.show(account, elsewhere);
      return { items: [], complete: true, snapshotAt: new Date(0) };
    });
    const { plan } = await use.planned(path);
    expect(plan).toMatchObject({
      status: "failed",
      counts: { retire: 0 },
      failure: { code: "target_identity_changed" },
    });
  });

  it("is asked again when a plan is confirmed", async () => {
    const { account, path } = await known();
    world.scripted.list(account, [use.model("a")]);
    const { at, plan } = await use.planned(path);
    world.scripted.show(account, elsewhere);
    const confirm = () => use.confirm(at, plan.planHash, { selection: "all", allowRetire: true });
    expect((await confirm()).json).toMatchObject({ status: 409, code: "target_identity_changed" });
    world.scripted.fail(account, new ConnectorError("transient", "It is away."));
    expect((await confirm()).json).toMatchObject({ status: 409, code: "connection_test_failed" });
    world.scripted.fail(account, undefined);
    world.scripted.show(account, { target: null });
    expect((await confirm()).json).toMatchObject({ status: 409, code: "target_identity_changed" });
    expect((await use.ask("GET", at)).json.status).toBe("awaiting_confirmation");
    world.scripted.show(account, {});
    expect((await confirm()).json).toMatchObject({ status: "importing" });
  });

  it("is not taken for the same where the test of an import fails or names none", async () => {
    const { id, account, path } = await known();
    await patch(id, { status: "disabled", reason: "To be tested again." });
    await patch(id, { status: "active" });
    world.scripted.show(account, { target: null });
    expect((await use.planned(path)).plan).toMatchObject({
      status: "failed",
      failure: { errorClass: "config", code: "target_unknown" },
    });
  });

  it("is asked for when new settings name none: that takes a confirmTarget as well", async () => {
    const { id, account } = await known();
    await patch(id, { status: "disabled", reason: "To be tested again." });
    await patch(id, { status: "active" });
    world.scripted.show(account, { target: null });
    const region = { configuration: { region: "us" } };
    expect((await patch(id, region)).json).toMatchObject({ status: 409, code: "target_identity_changed" });
    expect((await patch(id, { ...region, confirmTarget: true })).json).toMatchObject({ target: null });
  });
});
