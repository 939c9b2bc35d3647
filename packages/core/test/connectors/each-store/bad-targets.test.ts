import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest, pageOf } from "@reeve/core/connectors";
import { newActiveInstance, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
/** Names of models differ from test to test, because assets of one name are a conflict. */
let salt = "";
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
beforeEach(() => {
  salt = world.a.unique();
});

const ask = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });
const model = (id: string, more: Partial<DiscoveredAsset> = {}): DiscoveredAsset => ({
  externalId: id,
  assetType: "model",
  name: `Model ${id} of ${salt}`,
  record: { modelId: id },
  ...more,
});
const models = (count: number) => Array.from({ length: count }, (_unused, at) => model(`m-${at}`));

/** A connection whose assets `a` and `b` were imported. */
async function known() {
  const account = world.a.unique();
  const id = await newActiveInstance(world.a, { name: account, configuration: { account } });
  const path = `/api/v1/integrations/${id}`;
  world.scripted.list(account, [model("a"), model("b")]);
  expect(await run(path, "import")).toMatchObject({ status: "completed", done: 2 });
  return { id, account, path };
}

/** Begins an import, and lets an hour of ticks pass or as many as it needs. */
async function run(path: string, kind: "import" | "imports" = "imports") {
  const begun = await ask("POST", `${path}/${kind}`, {});
  expect(begun.status, begun.text).toBe(201);
  return settled(`${path}/imports/${begun.json.id}`);
}

async function settled(at: string) {
  for (let minute = 0; minute < 60; minute += 1) {
    await world.controlPlane.tick();
    const { json } = await ask("GET", at);
    if (!["queued", "discovering", "importing"].includes(json.status)) return { ...json, at };
    world.clock.advance(60_000);
  }
  throw new Error("the import does not end");
}

const statesOf = async (account: string) => {
  const { json } = await ask("GET", `/api/v1/ai-assets?provider=${account}&size=200`);
  return json.items.map((asset: { status: string }) => asset.status);
};
const nested = (depth: number) => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1);
const unharmed = ["discovered", "discovered"];

/** Fails calls of an account by their number, from 1. */
function failing(account: string, failureOf: (call: number) => ConnectorError | undefined): () => number {
  let calls = 0;
  world.scripted.script(account, () => {
    calls += 1;
    const failure = failureOf(calls);
    if (failure) throw failure;
  });
  return () => calls;
}

describe("a target that", () => {
  it("leads its pages in a circle ends the import, and nothing is concluded from it", async () => {
    const { account, path } = await known();
    const circle = 25;
    let pages = 0;
    world.scripted.listBy(account, ({ cursor = "0" }) => {
      pages += 1;
      if (pages > 3 * circle) throw new ConnectorError("fatal", "Nobody has noticed.");
      const next = (Number(cursor) + 1) % circle;
      return { items: [model(`loop-${cursor}`)], nextCursor: String(next), complete: false };
    });
    expect(await run(path)).toMatchObject({
      status: "failed",
      complete: false,
      counts: { retire: 0 },
      failure: { errorClass: "invalid", code: "pagination_loop" },
    });
    expect(await statesOf(account)).toEqual(unharmed);
  });

  it("revokes the token in mid-run is misconfigured, and keeps all that is known of it", async () => {
    const { id, account, path } = await known();
    world.scripted.list(account, models(900));
    const calls = failing(account, (call) =>
      call > 2 ? new ConnectorError("auth", "The key is refused.") : undefined,
    );
    expect(await run(path)).toMatchObject({
      status: "failed",
      complete: false,
      counts: { retire: 0 },
      failure: { errorClass: "auth" },
    });
    expect(calls()).toBe(3);
    expect((await ask("GET", `/api/v1/connector-instances/${id}`)).json.health).toBe("misconfigured");
    expect(await statesOf(account)).toEqual(unharmed);
  });

  it("hangs now and then is asked again for the page that it owes, and lists each item once", async () => {
    const { account, path } = await known();
    world.scripted.list(account, [model("a"), model("b"), ...models(900)]);
    const hangs = new ConnectorError("transient", "The target took too long.", { code: "timeout" });
    failing(account, (call) => (call % 2 === 0 ? hangs : undefined));
    expect(await run(path, "import")).toMatchObject({
      status: "completed",
      complete: true,
      done: 900,
      counts: { create: 900, unchanged: 2, rejected: 0 },
    });
  });

  it("hangs for good fails the import after some attempts, and nothing is concluded from it", async () => {
    const { account, path } = await known();
    const hangs = new ConnectorError("transient", "The target took too long.", { code: "timeout" });
    const calls = failing(account, () => hangs);
    expect(await run(path)).toMatchObject({
      status: "failed",
      counts: { retire: 0 },
      failure: { errorClass: "transient", code: "timeout" },
    });
    expect(calls()).toBe(5);
    expect(await statesOf(account)).toEqual(unharmed);
  });

  it.each([1e19, Number.POSITIVE_INFINITY, -1, Number.NaN])(
    "asks for a pause of %d holds up nobody else",
    async (ms) => {
      const { account, path } = await known();
      const limit = new ConnectorError("rate_limited", "Too many calls.", { retryAfterMs: ms });
      const calls = failing(account, (call) => (call === 2 ? limit : undefined));
      const begun = await ask("POST", `${path}/imports`, {});
      salt = world.a.unique();
      const other = await known();
      await world.controlPlane.tick();
      world.clock.advance(600_000);
      expect(await run(other.path)).toMatchObject({ status: "awaiting_confirmation", counts: { unchanged: 2 } });
      const isLong = ms > 0;
      expect(calls()).toBe(isLong ? 2 : 4);
      const { json } = await ask("GET", `${path}/imports/${begun.json.id}`);
      expect(json).toMatchObject({ status: isLong ? "discovering" : "awaiting_confirmation", failure: null });
    },
  );

  it("names one id on two pages is taken at its first word, and not for whole", async () => {
    const { account, path } = await known();
    const pages: Record<string, Page<DiscoveredAsset>> = {
      "": { items: [model("a"), model("twice")], nextCursor: "2", complete: false },
      "2": { items: [model("twice", { name: `Another of ${salt}` })], complete: true },
    };
    world.scripted.listBy(account, ({ cursor = "" }) => pages[cursor] as Page<DiscoveredAsset>);
    expect(await run(path, "import")).toMatchObject({
      status: "completed",
      complete: false,
      counts: { create: 1, unchanged: 1, rejected: 1, retire: 0 },
      done: 1,
    });
    expect(await statesOf(account)).toEqual([...unharmed, "discovered"]);
  });

  it.each([
    ["its own connector rejects", { items: [model("a")], rejected: [{ externalId: "b", reason: "Too strange." }] }],
    ["has a name that cannot be kept", { items: [model("a"), model("b", { name: "x".repeat(300) })] }],
    ["is larger than an entry may be", { items: [model("a"), model("b", { metadata: { x: "y".repeat(40_000) } })] }],
  ])("describes what is known by an entry that %s does not lack it", async (_what, first) => {
    const { account, path } = await known();
    const rename = (one: DiscoveredAsset) => ({ ...one, name: one.name.replace(/ of .*/, ` of ${salt}`) });
    const items = first.items.map(rename);
    world.scripted.listBy(account, ({ cursor }: PageRequest) =>
      cursor === undefined
        ? { ...first, items, nextCursor: "2", complete: false }
        : { items: [model("c")], complete: true },
    );
    expect(await run(path)).toMatchObject({
      status: "awaiting_confirmation",
      complete: false,
      counts: { create: 1, unchanged: 1, rejected: 1, retire: 0 },
    });
  });

  it("ends its listing without saying so has nothing retired, and the plan says why and what was left out", async () => {
    const { account, path } = await known();
    const warnings = [{ externalId: "a", part: "title", reason: "It is empty." }];
    const rejected = [{ externalId: "odd", reason: "Too strange." }];
    const page = { items: [model("a")], warnings, complete: false, incomplete: "full_page" } as const;
    world.scripted.listBy(account, () => page);
    const plan = await run(path);
    expect(plan).toMatchObject({
      complete: false,
      incompleteBecause: ["full_page"],
      leftOut: warnings,
      counts: { unchanged: 1, retire: 0 },
    });
    const { json } = await ask("GET", `${path}/imports/${plan.id}/items?size=50`);
    expect(json.items).toMatchObject([{ externalId: "a", leftOut: [{ part: "title", reason: "It is empty." }] }]);
    world.scripted.listBy(account, () => ({ items: [model("a")], rejected, complete: true }));
    expect(await run(path)).toMatchObject({
      incompleteBecause: ["rejected"],
      leftOut: [{ ...rejected[0], part: null }],
    });
  });

  it("lists one page twice in place of another has nothing retired", async () => {
    const { account, path } = await known();
    const first = { items: [model("c")], nextCursor: "2", complete: false };
    world.scripted.listBy(account, ({ cursor }: PageRequest) =>
      cursor === undefined ? first : { items: [model("c")], complete: true },
    );
    const { complete, incompleteBecause, counts } = await run(path);
    expect([complete, counts.retire, incompleteBecause]).toEqual([false, 0, ["repeated", "rejected"]]);
  });

  it.each([
    ["an id with NUL", { externalId: "b\0c" }],
    ["half a surrogate pair in its id", { externalId: "b\ud800c" }],
    ["a name with NUL", { name: "x\0y" }],
    ["half a surrogate pair in a place", { found: [{ location: "x\ud800" }] }],
    ["NUL in the name of a property", { metadata: { "a\0b": 1 } }],
    ["metadata without end", { metadata: { deep: nested(10_000) } }],
  ])("describes something by %s has it rejected, and the rest is read", async (_what, odd) => {
    const { account, path } = await known();
    const items = [model("a"), model("b"), model("c"), model("odd", odd)];
    world.scripted.list(account, items);
    expect(await run(path)).toMatchObject({
      status: "awaiting_confirmation",
      complete: false,
      counts: { unchanged: 2, create: 1, rejected: 1, retire: 0 },
    });
  });

  it("gives a page that is larger than was asked for is not read", async () => {
    const { account, path } = await known();
    world.scripted.listBy(account, () => pageOf(models(5_000), { limit: 5_000 }));
    expect(await run(path)).toMatchObject({ status: "failed", failure: { code: "page_too_large" } });
    expect(await statesOf(account)).toEqual(unharmed);
  });

  it("answers what is no page fails the import without a word of it", async () => {
    const { account, path } = await known();
    world.scripted.listBy(account, () => "a word of it" as never);
    const { failure, status } = await run(path);
    expect([status, JSON.stringify(failure)]).toEqual(["failed", expect.not.stringContaining("a word of it")]);
    expect(await statesOf(account)).toEqual(unharmed);
  });

  it("is another system than before is not imported from, and nothing is concluded from it", async () => {
    const { id, account, path } = await known();
    const moved = { status: "disabled", reason: "To be tested again." };
    await ask("PATCH", `/api/v1/connector-instances/${id}`, moved);
    await ask("PATCH", `/api/v1/connector-instances/${id}`, { status: "active" });
    world.scripted.show(account, { target: { id: "another", name: "Another" } });
    world.scripted.list(account, [model("x")]);
    expect(await run(path)).toMatchObject({
      status: "failed",
      complete: false,
      counts: { create: 0, retire: 0 },
      failure: { errorClass: "config", code: "target_identity_changed" },
    });
    expect(await statesOf(account)).toEqual(unharmed);
  });

  it("lists something else once the plan was seen gets what was seen", async () => {
    const { account, path } = await known();
    world.scripted.list(account, [model("a"), model("b"), model("seen")]);
    const { at, planHash } = await run(path);
    world.scripted.list(account, [model("unseen")]);
    await ask("POST", `${at}/confirm`, { planHash, selection: "all", allowRetire: true });
    expect(await settled(at)).toMatchObject({ status: "completed", done: 1 });
    const { json } = await ask("GET", `/api/v1/ai-assets?provider=${account}`);
    const ids = json.items.map((asset: { externalRef: { id: string } }) => asset.externalRef.id);
    expect(ids.sort()).toEqual(["a", "b", "seen"]);
  });
});
