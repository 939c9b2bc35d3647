import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ImportItem } from "../../../src/index.js";
import { driftBench } from "../../helpers/drift.js";
import { importItem } from "../../helpers/import-items.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
/** Who owns what tests make, and may read it. */
let holder: Actor;
/** Somebody of another tenant. */
let stranger: Actor;
beforeAll(async () => {
  const clerk = { description: "Sees assets and no access.", permissions: ["ai-asset:read"] };
  world = await createWorld({ notices: true, tokenLifetime: 86_400, roles: { clerk } });
  scene = world.a;
  holder = await scene.newUser(["auditor"]);
  const mail = { asset_found: "at_once", access_drift: "at_once", server_changed: "at_once" };
  await as(holder)("PUT", "/me/notice-preferences", { mail });
  stranger = world.b.actors.auditor;
  await tell();
});
beforeEach(async () => {
  for (const actor of [scene.owner, scene.actors.operator, holder])
    Object.assign(actor, await scene.signIn(actor.userId, actor));
});

const tell = () => world.controlPlane.tick();
const owned = () => ({ owner: { type: "user", id: holder.userId, name: "x" } });
const as = (actor: Actor) => async (method: string, path: string, body?: object) => {
  const { status, json, text } = await world.send(method, `/api/v1${path}`, {
    token: actor.token,
    headers: { "if-match": "*" },
    ...(body ? { body } : {}),
  });
  expect(status, text).toBeLessThan(300);
  return json;
};
const noticesOf = async (actor: Actor, kind: string, subjectId: string) =>
  (await as(actor)("GET", `/me/notices?kind=${kind}&size=100`)).items.filter(
    ({ subject }: { subject: { id: string } }) => subject.id === subjectId,
  );
const mailsTo = (actor: Actor, name: string) =>
  world.mailbox.mails.filter(({ to, text }) => to === actor.username && text.includes(name));

describe("an asset that was found", () => {
  const imported = async (item: Partial<ImportItem>) => {
    const name = scene.unique();
    const principal = await world.controlPlane.principalOf(scene.tenantId, scene.owner.userId);
    const ids: string[] = [];
    await world.controlPlane.importAssets(principal, [importItem(0, { externalRef: { id: name }, name, ...item })], {
      onOutcome: ({ value }) => void ids.push(value?.id ?? ""),
    });
    await tell();
    return { name, id: ids[0] ?? "" };
  };
  const byAddress = () => ({ owner: { type: "external", id: holder.username, name: "x" } as const });

  it("is told to its owner, whom the import names by an address, until somebody registers it", async () => {
    const { id, name } = await imported({ ...byAddress(), status: "discovered" });
    const told = { kind: "asset_found", name, matter: null, status: "open", assetId: id, page: `estate/assets/${id}` };
    expect(await noticesOf(holder, "asset_found", id)).toMatchObject([told]);
    expect(mailsTo(holder, name)).toHaveLength(1);
    for (const actor of [scene.owner, scene.actors.approver])
      expect(await noticesOf(actor, "asset_found", id), actor.username).toEqual([]);
    await as(scene.owner)("PATCH", `/ai-assets/${id}/lifecycle`, { status: "registered" });
    await tell();
    expect(await noticesOf(holder, "asset_found", id)).toMatchObject([{ status: "over" }]);
    expect(mailsTo(holder, name)).toHaveLength(1);
  });

  it("is told of to nobody where it is registered already, or has no owner here", async () => {
    const registered = await imported({ ...byAddress(), status: "registered" });
    expect(await noticesOf(holder, "asset_found", registered.id)).toEqual([]);
    const { id, name } = await imported({
      ...{ status: "discovered", owner: { type: "external", id: stranger.username, name: "x" } },
    });
    expect(mailsTo(stranger, name)).toEqual([]);
    expect(await noticesOf(stranger, "asset_found", id)).toEqual([]);
  });

  it("is told to its next owner as well, and is over for the one before", async () => {
    const { id } = await imported({ ...byAddress(), status: "discovered" });
    const next = await scene.newUser(["auditor"]);
    await as(scene.owner)("PUT", `/ai-assets/${id}`, { owner: { type: "user", id: next.userId, name: "x" } });
    await tell();
    expect(await noticesOf(holder, "asset_found", id)).toMatchObject([{ status: "over" }]);
    expect(await noticesOf(next, "asset_found", id)).toMatchObject([{ status: "open" }]);
  });
});

describe("access that differs from what was granted", () => {
  it("is told to the owner of the asset, until it is repaired", async () => {
    const name = scene.unique();
    const bench = await driftBench(world, {}, { name, ...owned() });
    await bench.granted();
    bench.cut();
    await bench.scan();
    const [drift] = await bench.drift();
    const id = drift?.id ?? "";
    expect(drift?.status).toBe("open");
    await tell();
    const told = { kind: "access_drift", name, matter: null, status: "open", page: "access/drift" };
    expect(await noticesOf(holder, "access_drift", id)).toMatchObject([told]);
    expect(mailsTo(holder, name)).toHaveLength(1);
    expect(await noticesOf(scene.owner, "access_drift", id)).toEqual([]);
    const wanted = { action: "grant", reason: "because a test wants it so" };
    expect((await bench.actOn(id, "repair", wanted)).status).toBe(200);
    await tell();
    await tell();
    expect(await bench.drift()).toMatchObject([{ status: "resolved" }]);
    expect(await noticesOf(holder, "access_drift", id)).toMatchObject([{ status: "over" }]);
    expect(mailsTo(holder, name)).toHaveLength(1);
  });

  it("is told to nobody where the owner may not read it", async () => {
    const name = scene.unique();
    const outsider = await scene.newUser(["clerk"]);
    const bench = await driftBench(world, {}, { name, owner: { type: "user", id: outsider.userId, name: "x" } });
    await bench.granted();
    bench.cut();
    await bench.scan();
    await tell();
    const [drift] = await bench.drift();
    const mayRead = (await scene.send("GET", `/api/v1/access-drift/${drift?.id}`, { token: outsider.token })).status;
    expect(mayRead).toBe(403);
    expect(await noticesOf(outsider, "access_drift", drift?.id ?? "")).toEqual([]);
    expect(mailsTo(outsider, name)).toEqual([]);
  });
});

describe("an MCP server that changed", () => {
  const tool = (name: string, description = `Does ${name}.`) => ({
    ...{ name, description, inputSchema: { type: "object" } },
  });
  const server = (id: string) => `/ai/mcp-servers/${id}`;
  const scan = (id: string) => as(scene.owner)("POST", `${server(id)}/scan`);
  /** A server whose tools were approved. */
  async function approved() {
    const name = scene.unique();
    const url = `https://${name.toLowerCase()}.example/mcp`;
    const id = await scene.newMcpServer({ name, url, auth: { type: "none" }, ...owned() }, scene.actors.operator);
    world.mcp.report(url, { tools: [tool("read")] });
    const { manifest } = await scan(id);
    await as(scene.owner)("POST", `${server(id)}/tools/approve`, { manifestDigest: manifest.current });
    return { id, name, url };
  }

  it("is told to its owner once for each change, until that is approved", async () => {
    const { id, name, url } = await approved();
    await tell();
    expect(await noticesOf(holder, "server_changed", id)).toEqual([]);
    world.mcp.report(url, { tools: [tool("read", "Reads, and sends it away.")] });
    const { manifest } = await scan(id);
    await tell();
    const told = { kind: "server_changed", name, matter: null, status: "open", page: `estate/mcp-servers/${id}` };
    expect(await noticesOf(holder, "server_changed", id)).toMatchObject([told]);
    expect(mailsTo(holder, name)).toHaveLength(1);
    expect(await noticesOf(scene.owner, "server_changed", id)).toEqual([]);
    await scan(id);
    await tell();
    expect(mailsTo(holder, name), "the same change").toHaveLength(1);
    await as(scene.owner)("POST", `${server(id)}/tools/approve`, { manifestDigest: manifest.current });
    await tell();
    expect(await noticesOf(holder, "server_changed", id)).toMatchObject([{ status: "over" }]);
  });

  it("is told of anew when it changes again, and the notice of the change before is over", async () => {
    const { id, name, url } = await approved();
    for (const description of ["Reads, and sends it away.", "Reads, and keeps it."]) {
      world.mcp.report(url, { tools: [tool("read", description)] });
      await scan(id);
      await tell();
    }
    const told = await noticesOf(holder, "server_changed", id);
    expect(told.map(({ status }: { status: string }) => status).sort()).toEqual(["open", "over"]);
    expect(mailsTo(holder, name)).toHaveLength(2);
    world.mcp.report(url, { tools: [tool("read")] });
    await scan(id);
    await tell();
    const after = await noticesOf(holder, "server_changed", id);
    expect(after.map(({ status }: { status: string }) => status)).toEqual(["over", "over"]);
  });
});
