import { ConnectorError, defineConnector, type GrantSpec } from "@reeve/core/connectors";
import { createWorld as createFullWorld, ScriptedAccess, ScriptedConnector, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessBench, type Bench } from "../../helpers/access.js";
import { emptyStore } from "../../helpers/stores.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REASON = { reason: "The agent does not need it." };
const access = new ScriptedAccess();
const { manifest, ...methods } = access.connector;

/** Grants that the target does not show now, by their parameters; all while `hidesAll`. */
let hidesAll = true;
const keyOf = ({ parameters }: GrantSpec) => JSON.stringify(parameters);
/** It takes what it is asked for, and shows nothing of it. */
const hiding = defineConnector({
  ...methods,
  manifest: { ...manifest, providerKey: "hiding" },
  verify: async (ctx, spec) =>
    hidesAll ? { presence: "absent", authoritative: true } : (methods.verify?.(ctx, spec) as never),
  listGrants: async (ctx, query, page) =>
    hidesAll ? { items: [], complete: true } : (methods.listGrants?.(ctx, query, page) as never),
});

let world: World;
beforeAll(async () => {
  const connectors = [new ScriptedConnector().connector, access.connector, hiding];
  const store = await emptyStore();
  world = { ...(await createFullWorld({ store, connectors, tokenLifetime: 86_400 })), access };
});

const later = async (milliseconds: number, times = 1) => {
  for (let turn = 0; turn < times; turn += 1) {
    world.clock.advance(milliseconds / times);
    await world.controlPlane.tick();
  }
  world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
};
const send = async (method: string, path: string, body?: object) => {
  const { token } = world.a.actors.owner;
  const answer = await world.send(method, path, { token, headers: { "if-match": "*" }, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const keysOf = ({ account }: Bench) => [...account.held.values()].map(keyOf).sort();

type Moment = readonly [name: string, end: (bench: Bench, id: string) => Promise<unknown>, left?: readonly object[]];

/** Every way in which access ends or becomes other access. */
const MOMENTS: readonly Moment[] = [
  ["it is revoked", (bench, id) => bench.act(id, "revoke", REASON)],
  ["its time is over", () => later(2 * HOUR)],
  [
    "its asset is retired",
    ({ assetId }) => send("PATCH", `/api/v1/ai-assets/${assetId}/lifecycle`, { status: "retired", ...REASON }),
  ],
  [
    "its connection is deleted",
    ({ connectorInstanceId }) =>
      send("DELETE", `/api/v1/connector-instances/${connectorInstanceId}?mode=revoke_first&reason=It%20is%20over.`),
  ],
  [
    "it is narrowed to other access",
    (bench, id) => bench.act(id, "modify", { ...REASON, parameters: { paths: ["docs"] } }),
    [{ paths: ["docs"] }],
  ],
];

describe("a target that shows nothing of what it took", () => {
  const moments = MOMENTS.map(([moment, end, left = []]) => [moment, end, left] as const);
  it.each(moments)("is asked to take it away when %s, and is not said to lack it", async (moment, end, left) => {
    hidesAll = true;
    const bench = await accessBench(world, { providerKey: "hiding" });
    const id = await bench.decide({ parameters: { paths: ["docs", "src"] } });
    await later(MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "active", targetState: "unknown", effective: true });
    await end(bench, id);
    await later(HOUR / 4, 4);
    expect(keysOf(bench)).toEqual(left.map((parameters) => JSON.stringify(parameters)));
    if (left.length === 0 && moment !== "its connection is deleted")
      expect(await bench.read(id)).toMatchObject({ targetState: "unknown", unknown: { because: "not_shown_gone" } });
  });

  it("is asked to take away what it may have taken when the grant is given up", async () => {
    hidesAll = true;
    const bench = await accessBench(world, { providerKey: "hiding" });
    bench.account.script = (method, phase) => {
      if (method === "grant" && phase === "after") throw new ConnectorError("outcome_unknown", "Lost.");
    };
    const id = await bench.decide({ duration: "P1D" });
    await later(HOUR, 30);
    expect(await bench.read(id)).toMatchObject({ status: "failed", targetState: "unknown" });
    expect([bench.account.held.size, bench.account.calls.filter((method) => method === "revoke").length]).toEqual([
      0, 1,
    ]);
  });

  it("is told of everywhere, with since when and what would tell, until it shows what it has", async () => {
    hidesAll = true;
    const bench = await accessBench(world, { providerKey: "hiding" });
    const id = await bench.decide({ duration: "P7D" });
    await later(MINUTE);
    const { unseenSince: since } = await bench.read(id);
    const unknown = { because: "not_shown", since, settledBy: expect.stringMatching(/drift scan/) };
    expect(await bench.read(id)).toMatchObject({ unknown });
    expect((await bench.act(id, "verify")).json).toMatchObject({ presence: "unknown", authoritative: false, unknown });
    expect(await send("GET", `/api/v1/ai-assets/${bench.assetId}/access-summary`)).toMatchObject({
      unknown: [{ assignmentId: id, unknown }],
    });
    const listed = await send("GET", "/api/v1/access-assignments?targetState=unknown&size=100");
    expect(listed.items.map((one: { id: string }) => one.id)).toContain(id);
    const { unknown: figure } = await send("GET", "/api/v1/access-lifecycle/dashboard");
    expect(figure.value).toBe((await send("GET", figure.url)).totalItems);
    expect(figure.notShown).toMatchObject({ since: expect.any(String), settledBy: expect.any(String) });
    const { attention } = await send("GET", "/api/v1/ai/overview?size=100");
    expect(attention.items).toContainEqual(expect.objectContaining({ kind: "access_not_shown" }));
    const findings = async () =>
      (await send("GET", `/api/v1/ai-governance/findings?source=access&assetId=${bench.assetId}`)).items;
    expect(await findings()).toMatchObject([
      { ruleKey: "target_hides", status: "open", severity: "low", evidence: { values: { since } } },
    ]);
    const path = `/api/v1/access-targets/${bench.connectorInstanceId}`;
    const scan = async () => {
      const { id: scanId } = await send("POST", `${path}/drift-scan`);
      await later(MINUTE);
      return send("GET", `${path}/drift-scans/${scanId}`);
    };
    expect(await scan()).toMatchObject({ status: "partial", complete: false, counts: { found: 0, resolved: 0 } });
    hidesAll = false;
    expect(await scan()).toMatchObject({ status: "complete", complete: true });
    expect(await bench.read(id)).toMatchObject({ targetState: "present", unknown: null, unseenSince: null });
    expect(await findings()).toMatchObject([{ ruleKey: "target_hides", status: "resolved" }]);
    hidesAll = true;
    await later(MINUTE);
    expect(await scan(), "what it has shown once it can be seen to lack").toMatchObject({ counts: { missing: 1 } });
  });

  it("is not said to lack what it took, though it has shown other access before", async () => {
    hidesAll = false;
    const bench = await accessBench(world, { providerKey: "hiding" });
    await bench.decide({ duration: "P1D", parameters: { paths: ["docs"] } });
    await later(MINUTE);
    hidesAll = true;
    const id = await bench.decide({ duration: "P1D", parameters: { paths: ["src"] } });
    await later(MINUTE);
    expect((await bench.act(id, "verify")).json).toMatchObject({ presence: "unknown", driftId: null });
    expect(await bench.read(id)).toMatchObject({ status: "active", targetState: "unknown" });
  });

  it("is not asked to take away what it has refused, and has its refusal for a no", async () => {
    hidesAll = false;
    const bench = await accessBench(world, { providerKey: "hiding" });
    bench.account.script = (method) => {
      if (method === "grant") throw new ConnectorError("invalid", "No.");
    };
    const id = await bench.decide();
    await later(HOUR, 4);
    expect(await bench.read(id)).toMatchObject({ status: "failed", targetState: "absent", unknown: null });
    expect(bench.account.calls).not.toContain("revoke");
  });
});
