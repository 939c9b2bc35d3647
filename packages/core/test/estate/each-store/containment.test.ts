import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const reason = "because a test wants it so";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = async (method: string, path: string, body?: object, token = world.a.owner.token) =>
  (await world.send(method, path, { token, ...(body ? { body } : {}) })).json;
const assets = "/api/v1/ai-assets";
const effective = (id: string) => send("GET", `${assets}/${id}/effective`);
const govern = (id: string, status: string, token?: string) =>
  send("PATCH", `${assets}/${id}/governance-state`, { status, reason }, token);
/** Ends a suspension, which takes another person. */
const reinstate = (id: string) => govern(id, "unreviewed", world.a.actors.admin.token);

interface Made {
  readonly id: string;
  readonly assetId: string;
  readonly name: string;
}

async function made(path: string, create: () => Promise<string>): Promise<Made> {
  const { id, assetId, name } = await send("GET", `/api/v1/ai/${path}/${await create()}`);
  return { id, assetId, name };
}
const server = () => made("mcp-servers", () => world.a.newMcpServer());
const model = () => made("models", () => world.a.newModel());
const identity = () => made("identities", () => world.a.newIdentity());
const agent = (more: object = {}) => made("agents", () => world.a.newAgent(more as never));
const tool = (more: object = {}) => made("tools", () => world.a.newTool(more as never));

/** Engages a kill switch for the time of the work. */
async function switchedOff(key: string, work: () => Promise<void>): Promise<void> {
  const set = (status: string) =>
    world.send("POST", `/api/v1/support/kill-switches/${key}`, {
      token: world.provider.owner.token,
      body: { status, reason, configuration: { tenantId: world.a.tenantId } },
    });
  expect((await set("engaged")).status).toBe(200);
  await work();
  expect((await set("released")).status).toBe(200);
}

describe("E1 an asset may be used only with what it depends on", () => {
  it("E1 a tool falls with its MCP server: suspended, retired, switched off by kind or by itself, deleted", async () => {
    const on = await server();
    const { assetId } = await tool({ origin: "mcp", serverId: on.assetId });
    const path = [{ id: on.assetId, name: on.name, relation: "exposes" }];
    expect(await effective(assetId)).toMatchObject({ decision: "allow", message: null, path: [] });
    await govern(on.assetId, "suspended");
    expect(await effective(assetId)).toMatchObject({
      decision: "deny",
      reasons: ["depends_on:governance_state:suspended"],
      message: `Its MCP server \`${on.name}\` is suspended.`,
      path,
    });
    await reinstate(on.assetId);
    expect(await effective(assetId)).toMatchObject({ decision: "allow" });
    await switchedOff("ai.mcp", async () => {
      expect(await effective(assetId)).toMatchObject({ decision: "deny", reasons: ["kill_switch:ai.mcp"], path });
    });
    await switchedOff(`ai.asset.${on.assetId}`, async () => {
      expect(await effective(assetId)).toMatchObject({ reasons: [`kill_switch:ai.asset.${on.assetId}`], path });
    });
    await send("PATCH", `${assets}/${on.assetId}/lifecycle`, { status: "retired", reason });
    expect(await effective(assetId)).toMatchObject({ reasons: ["depends_on:lifecycle:retired"], path });
    await send("DELETE", `${assets}/${on.assetId}?force=true&reason=${encodeURIComponent(reason)}`);
    expect(await effective(assetId)).toMatchObject({
      decision: "deny",
      reasons: ["depends_on:not_found"],
      message: `Its MCP server \`${on.assetId}\` no longer exists.`,
      path: [{ id: on.assetId, name: null, relation: "exposes" }],
    });
  });

  it("E1 an agent falls with its identity, by either record's word, with its models and its parent agents", async () => {
    const [one, other, used, parent] = [await identity(), await identity(), await model(), await agent()];
    const { assetId } = await agent({ identityId: one.assetId, modelIds: [used.assetId] });
    await send("PUT", `/api/v1/ai/identities/${other.id}`, { agentIds: [assetId] });
    await send("PUT", `${assets}/${parent.assetId}`, { relations: [{ type: "delegates_to", targetId: assetId }] });
    expect(await effective(assetId)).toMatchObject({ decision: "allow" });
    for (const { id, name, assetId: itsAsset } of [one, other]) {
      await send("PUT", `/api/v1/ai/identities/${id}`, { status: "disabled" });
      expect(await effective(assetId)).toMatchObject({
        reasons: ["depends_on:identity_status:disabled"],
        message: `Its identity \`${name}\` is disabled.`,
        path: [{ id: itsAsset, name, relation: "runs_as" }],
      });
      await send("PUT", `/api/v1/ai/identities/${id}`, { status: "active" });
    }
    await govern(used.assetId, "under_review");
    await govern(used.assetId, "rejected");
    expect(await effective(assetId)).toMatchObject({
      reasons: ["depends_on:governance_state:rejected"],
      message: `Its model \`${used.name}\` is rejected.`,
    });
    await govern(used.assetId, "under_review");
    await govern(used.assetId, "approved", world.a.actors.approver.token);
    await govern(parent.assetId, "suspended");
    expect(await effective(assetId)).toMatchObject({ message: `Its parent agent \`${parent.name}\` is suspended.` });
  });

  it("E1 a session falls with the identity that its agent acts as, at its start, its resumption and in decisions", async () => {
    const { id: identityId, assetId } = await made("identities", () => world.a.newIdentity({ status: "active" }));
    const agentId = (await agent()).assetId;
    const begin = () => send("POST", "/api/v1/ai/sessions", { agentId, identityId });
    const { id: sessionId } = await begin();
    const decide = () =>
      send("POST", "/api/v1/ai/policies/evaluate", {
        subject: { type: "session", id: sessionId },
        action: { name: "call" },
        resource: { type: "thing", id: "x" },
      });
    const barred = async () => ((await decide()).context?.reasons ?? []).map(({ code }: { code: string }) => code);
    const before = await barred();
    const key = `ai.asset.${assetId}`;
    await send("POST", `/api/v1/ai/sessions/${sessionId}/suspend`, { reason });
    await switchedOff(key, async () => {
      for (const answer of [await begin(), await send("POST", `/api/v1/ai/sessions/${sessionId}/resume`, {})])
        expect(answer).toMatchObject({
          code: "transition_guard_failed",
          guards: expect.arrayContaining([
            { key: "identityUsable", ok: false, detail: expect.stringContaining(`kill_switch:${key}`) },
          ]),
        });
      expect(await barred()).toContain("kill_switch");
    });
    expect(before).not.toContain("kill_switch");
    expect(await barred()).not.toContain("kill_switch");
    expect(await send("POST", `/api/v1/ai/sessions/${sessionId}/resume`, {})).toMatchObject({ status: "active" });
  });

  it("E1 tells the whole path, whether records or relations lead there", async () => {
    const [used, parent] = [await model(), await agent()];
    const child = await agent();
    await send("PUT", `${assets}/${parent.assetId}`, {
      relations: [
        { type: "uses", targetId: used.assetId },
        { type: "delegates_to", targetId: child.assetId },
      ],
    });
    await govern(used.assetId, "suspended");
    expect(await effective(child.assetId)).toMatchObject({
      message: `Its parent agent \`${parent.name}\`'s model \`${used.name}\` is suspended.`,
      path: [
        { id: parent.assetId, relation: "delegates_to" },
        { id: used.assetId, relation: "uses" },
      ],
    });
  });

  it("E1 does not fall with tools and data that it uses, nor with what it was made from", async () => {
    const [used, data] = [await tool(), await world.a.newAsset({ assetType: "dataset" })];
    const { assetId } = await agent({ toolIds: [used.assetId] });
    await send("PUT", `${assets}/${assetId}`, {
      relations: [
        { type: "uses", targetId: data },
        { type: "derived_from", targetId: data },
      ],
    });
    for (const id of [used.assetId, data]) await govern(id, "suspended");
    expect(await effective(assetId)).toMatchObject({ decision: "allow" });
  });

  it("E1 goes round no cycle twice, and refuses what goes further than it looks", async () => {
    const ids = await Promise.all(Array.from({ length: 9 }, () => world.a.newAsset({ assetType: "agent" })));
    const delegate = (from: number, to: number) =>
      send("PUT", `${assets}/${ids[from]}`, { relations: [{ type: "delegates_to", targetId: ids[to] }] });
    await delegate(0, 1);
    await delegate(1, 0);
    expect(await effective(ids[0] as string)).toMatchObject({ decision: "allow" });
    for (let at = 2; at < 8; at += 1) await delegate(at, at + 1);
    expect(await effective(ids[7] as string)).toMatchObject({ decision: "allow" });
    expect(await effective(ids[8] as string)).toMatchObject({ decision: "deny", reasons: ["containment:too_large"] });
    const many = await world.a.newAsset({ assetType: "agent" });
    const parents = Array.from({ length: 101 }, (_, at) => ({
      assetType: "agent",
      name: `parent ${at} of ${many}`,
      externalRef: { id: `parent ${at} of ${many}` },
      relations: [{ type: "delegates_to", targetId: many }],
    }));
    const { created } = await send("POST", `${assets}/import`, { items: parents });
    expect(created).toBe(101);
    expect(await effective(many)).toMatchObject({ reasons: ["containment:too_large"] });
  });

  it("E1 stays within its bounds in a graph of cycles and 10,000 relations", async () => {
    // A hundred agents who all delegate to each other: every step leads everywhere, and back.
    const ref = (at: number) => `one of many ${at}`;
    const items = (relations: (at: number) => object[]) =>
      Array.from({ length: 100 }, (_, at) => ({
        assetType: "agent",
        name: ref(at),
        externalRef: { id: ref(at) },
        relations: relations(at),
      }));
    await send("POST", `${assets}/import`, { items: items(() => []) });
    const listed = (await send("GET", `${assets}?search=one+of+many&size=100`)).items as { id: string; name: string }[];
    const ids = listed.map(({ id }) => id);
    expect(ids).toHaveLength(100);
    const idOf = new Map(listed.map(({ id, name }) => [name, id]));
    const everywhere = ids.map((targetId) => ({ type: "delegates_to", targetId }));
    const others = (at: number) => [
      ...everywhere.filter(({ targetId }) => targetId !== idOf.get(ref(at))),
      {
        type: "uses",
        targetId: ids[(at + 1) % 100] === idOf.get(ref(at)) ? ids[(at + 2) % 100] : ids[(at + 1) % 100],
      },
    ];
    const whole = items(others);
    for (let at = 0; at < whole.length; at += 25)
      expect(await send("POST", `${assets}/import`, { items: whole.slice(at, at + 25) })).toMatchObject({
        updated: 25,
      });
    const first = ids[0] as string;
    expect(await effective(first)).toMatchObject({ decision: "allow", path: [] });
    const all = await send("GET", `${assets}/effective?ids=${ids.join(",")}`);
    expect(new Set(all.items.map(({ decision }: { decision: string }) => decision))).toEqual(new Set(["allow"]));
    await govern(ids.at(-1) as string, "suspended");
    expect(await effective(first)).toMatchObject({ decision: "deny", path: [{ id: ids.at(-1) }] });
  });

  it("E1 is promoted only while all of it may be used", async () => {
    const used = await model();
    const party = { type: "user", id: world.a.actors.member.userId };
    const { assetId } = await agent({ modelIds: [used.assetId], owner: party, sponsor: party });
    await govern(assetId, "under_review");
    await govern(assetId, "approved", world.a.actors.admin.token);
    await send("PATCH", `${assets}/${assetId}/lifecycle`, { status: "validation" });
    await govern(used.assetId, "suspended");
    const promote = () => send("PATCH", `${assets}/${assetId}/lifecycle`, { status: "production" });
    const refused = await promote();
    expect(refused).toMatchObject({ code: "transition_guard_failed" });
    const failed = refused.guards.filter(({ ok }: { ok: boolean }) => !ok).map(({ key }: { key: string }) => key);
    expect(failed).toEqual(["dependenciesUsable"]);
    expect(refused.detail).toContain(`Its model \`${used.name}\` is suspended.`);
    await reinstate(used.assetId);
    expect(await promote()).toMatchObject({ status: "production" });
  });

  it("E1 stays apart from relations of another tenant", async () => {
    const foreign = await world.b.newAsset({ assetType: "agent" });
    const { assetId } = await agent();
    await send(
      "PUT",
      `${assets}/${foreign}`,
      { relations: [{ type: "delegates_to", targetId: assetId }] },
      world.b.owner.token,
    );
    await send("PATCH", `${assets}/${foreign}/governance-state`, { status: "suspended", reason }, world.b.owner.token);
    expect(await effective(assetId)).toMatchObject({ decision: "allow" });
  });
});

describe("E1 many at once", () => {
  it("E1 answers in the order asked, and denies what is unknown or another tenant's alike", async () => {
    const on = await server();
    const { assetId } = await tool({ origin: "mcp", serverId: on.assetId });
    await govern(on.assetId, "suspended");
    const foreign = await world.b.newAsset();
    const unknown = "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
    const free = await world.a.newAsset();
    const ids = [assetId, unknown, free, foreign, "plain"];
    const { items } = await send("GET", `${assets}/effective?ids=${ids.join(",")}`);
    expect(items).toMatchObject([
      { id: assetId, decision: "deny", path: [{ id: on.assetId }] },
      { id: unknown, decision: "deny", reasons: ["not_found"] },
      { id: free, decision: "allow" },
      { id: foreign, decision: "deny", reasons: ["not_found"] },
      { id: "plain", decision: "deny", reasons: ["not_found"] },
    ]);
  });

  it("E1 asks no more than a hundred at once", async () => {
    const ids = Array.from({ length: 101 }, (_, at) => `ast_${at}`);
    expect(await send("GET", `${assets}/effective?ids=${ids.join(",")}`)).toMatchObject({ status: 400 });
  });
});

describe("impact", () => {
  const impact = (id: string) => send("GET", `${assets}/${id}/impact`);

  it("tells who uses an asset, directly and through others, and what would stop with it", async () => {
    const used = await model();
    const parent = await agent({ modelIds: [used.assetId] });
    const child = await agent();
    await send("PUT", `${assets}/${parent.assetId}`, {
      relations: [{ type: "delegates_to", targetId: child.assetId }],
    });
    const app = await world.a.newAsset({ relations: [{ type: "uses", targetId: child.assetId }] });
    const { items, complete } = await impact(used.assetId);
    expect(complete).toBe(true);
    expect(items).toMatchObject([
      { id: parent.assetId, relation: "uses", usedId: used.assetId, distance: 1, stops: true },
      { id: child.assetId, relation: "delegates_to", usedId: parent.assetId, distance: 2, stops: true },
      { id: app, relation: "uses", usedId: child.assetId, distance: 3, stops: false },
    ]);
    expect(await impact(app)).toEqual({ items: [], complete: true });
  });

  it("goes round no cycle twice, and says when it is not complete", async () => {
    const [one, other] = [await world.a.newAsset(), await world.a.newAsset()];
    for (const [id, targetId] of [
      [one, other],
      [other, one],
    ])
      await send("PUT", `${assets}/${id}`, { relations: [{ type: "uses", targetId }] });
    expect(await impact(one)).toMatchObject({ items: [{ id: other }], complete: true });
    const users = Array.from({ length: 501 }, (_, at) => ({
      name: `user ${at} of ${one}`,
      externalRef: { id: `user ${at} of ${one}` },
      relations: [{ type: "uses", targetId: one }],
    }));
    for (const items of [users.slice(0, 300), users.slice(300)])
      expect((await send("POST", `${assets}/import`, { items })).created).toBe(items.length);
    const many = await impact(one);
    expect([many.items.length, many.complete]).toEqual([500, false]);
  });

  it.each(["asset", "record"])(
    "keeps what is in use from deletion by the door of the %s, unless that is forced",
    async (door) => {
      const used = await model();
      const { assetId, name } = await agent({ modelIds: [used.assetId] });
      const path = door === "asset" ? `${assets}/${used.assetId}` : `/api/v1/ai/models/${used.id}`;
      expect(await send("DELETE", path)).toMatchObject({
        code: "in_use",
        usedBy: [{ id: assetId, name, relation: "uses" }],
      });
      expect(await send("DELETE", `${path}?force=true`)).toMatchObject({ code: "missing_reason" });
      await send("DELETE", `${path}?force=true&reason=${encodeURIComponent(reason)}`);
      expect(await send("GET", `${assets}/${used.assetId}`)).toMatchObject({ code: "not_found" });
      expect(await effective(assetId)).toMatchObject({ message: `Its model \`${used.assetId}\` no longer exists.` });
    },
  );

  it("lets go of what only retired assets use", async () => {
    const used = await model();
    const { assetId } = await agent({ modelIds: [used.assetId] });
    await send("PATCH", `${assets}/${assetId}/lifecycle`, { status: "retired", reason });
    await send("DELETE", `${assets}/${used.assetId}`);
    expect(await send("GET", `${assets}/${used.assetId}`)).toMatchObject({ code: "not_found" });
  });
});
