import { readFileSync } from "node:fs";
import type { Actor, Scene, World } from "@reeve/testkit";
import { schemaFaults } from "@reeve/testkit/openapi";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../helpers/facts.js";
import { publicationBench } from "../../helpers/publication-bench.js";
import { createWorld } from "../../helpers/world.js";

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), "utf8"));
const faultsOf = schemaFaults([fixture("server.schema.2025-12-11"), fixture("registry-api.schema")]);

const OFFICIAL = "io.modelcontextprotocol.registry/official";
const APPROVAL = "reeve.registry/approval";
const reason = "because a test wants it so";

// biome-ignore lint/suspicious/noExplicitAny: answers of many forms
type Json = any;

let world: World;
let scene: Scene;
let second: Actor;
let benches: ReturnType<typeof publicationBench>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  second = await scene.newUser(["governance_officer"]);
  benches = publicationBench(world, scene, second);
});

const newKey = async (of: Scene = scene) =>
  (await of.send("POST", "/api/v1/ai/registry-keys", { token: of.owner.token, body: { name: of.unique() } })).json;
const get = (key: string, rest = "/v0.1/servers") => world.send("GET", `/registry/${key}${rest}`);
const pathOf = (name: string, rest = "") => `/v0.1/servers/${encodeURIComponent(name)}/versions${rest}`;

/** All pages of a list, each valid by the published schemas. */
async function listed(key: string, query: Readonly<Record<string, string>> = {}, between?: () => Promise<unknown>) {
  const entries: Json[] = [];
  let cursor: string | undefined;
  do {
    const asked = new URLSearchParams({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    const { status, json, text } = await get(key, `/v0.1/servers?${asked}`);
    expect(status, text).toBe(200);
    expect(faultsOf(json)).toEqual([]);
    entries.push(...json.servers);
    cursor = json.metadata.nextCursor;
    await between?.();
  } while (cursor !== undefined);
  return entries;
}
const idsOf = (entries: readonly Json[]) => entries.map(({ _meta }) => _meta[APPROVAL]?.assetId);
const statusesOf = (entries: readonly Json[]) =>
  Object.fromEntries(entries.map(({ server, _meta }) => [server.title, _meta[OFFICIAL].status]));

/** A server whose tools were scanned and approved, and what it then shows. */
async function pinned() {
  const at = `https://mcp.example/${scene.unique()}`;
  const show = async (description: string) => {
    world.mcp.report(at, { tools: [{ name: "read", description, inputSchema: { type: "object" } }] });
    return benches.asOwner("POST", `/ai/mcp-servers/${server.id}/scan`);
  };
  const server = await benches.newServer({ url: at });
  const { manifest } = await show("Reads.");
  await benches.as(second.token)("POST", `/ai/mcp-servers/${server.id}/tools/approve`, {
    manifestDigest: manifest.current,
  });
  return { ...server, digest: manifest.current as string, show };
}

describe("the tenant's MCP registry", () => {
  it("tells what is approved in the published form, with pin, end and how strictly it is held", async () => {
    const { key, url } = await newKey();
    expect(url).toBe(`https://reeve.example/registry/${key}`);
    const named = await benches.newServer({ registryName: "com.example/one", description: "x".repeat(300) });
    const local = await benches.newServer({
      ...{ transport: "stdio", url: null, name: "名".repeat(150) },
      package: { registryType: "npm", identifier: "@acme/files", version: "1.2.0", sha256: "a".repeat(64) },
    });
    const loose = await benches.newServer({
      ...{ transport: "stdio", url: null },
      package: { registryType: "npm", identifier: "@acme/files", version: "^1.2.0" },
    });
    const one = await pinned();
    const waiting = await scene.newMcpServer({ name: scene.unique() });
    const entries = await listed(key, { limit: "2" });
    const of = ({ assetId }: { assetId: string }) => entries.find(({ _meta }) => _meta[APPROVAL]?.assetId === assetId);
    expect(of(named)).toMatchObject({
      server: {
        ...{ name: "com.example/one", title: named.name, description: "x".repeat(100), version: "0.0.0" },
        remotes: [{ type: "streamable-http", url: named.url }],
      },
      _meta: {
        [OFFICIAL]: { status: "active", isLatest: true },
        [APPROVAL]: { pin: null, approvedUntil: null, heldTo: "none" },
      },
    });
    expect(of(local)?.server).toMatchObject({
      ...{ title: "名".repeat(100), version: "1.2.0" },
      packages: [{ identifier: "@acme/files", version: "1.2.0", fileSha256: "a".repeat(64) }],
    });
    expect(of(local)?.server.name).toMatch(new RegExp(`/${local.assetId}$`));
    expect(of(one)).toMatchObject({
      server: { version: `1.0.0+${one.digest.slice(0, 12)}` },
      _meta: { [APPROVAL]: { pin: { alg: "mcp-manifest/1", digest: one.digest } } },
    });
    expect([of(loose), idsOf(entries).includes(waiting)]).toEqual([undefined, false]);
    const { json } = await get(key, pathOf("com.example/one", "/latest"));
    expect(json).toEqual(of(named));
    for (const rest of ["", "/0.0.0"]) expect((await get(key, pathOf("com.example/one", rest))).status, rest).toBe(200);
    expect((await get(key, pathOf("com.example/one", "/9.9.9"))).status).toBe(404);
    expect(await listed(key, { search: "EXAMPLE/ONE" })).toEqual([of(named)]);
    expect(await listed(key, { version: "0.0.0", search: named.name })).toEqual([of(named)]);
    const byToken = await world.send("GET", "/v0.1/servers?limit=100", { token: scene.actors.auditor.token });
    expect(byToken.json.servers).toEqual(entries);
    expect((await world.send("GET", "/v0.1/servers")).status).toBe(401);
  });

  it("gives no server the name of another one, whoever claims it later", async () => {
    const { key } = await newKey();
    const name = `com.example/${scene.unique()}`;
    const first = await benches.newServer({ registryName: name });
    const later = await benches.newServer({ registryName: name });
    const byId = (await listed(key)).find(({ _meta }) => _meta[APPROVAL].assetId === later.assetId).server.name;
    const thief = await benches.newServer({ registryName: byId });
    const names = Object.fromEntries(
      (await listed(key)).map(({ server, _meta }) => [_meta[APPROVAL].assetId, server.name]),
    );
    expect([names[first.assetId], names[later.assetId]]).toEqual([name, byId]);
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length);
    const { json } = await get(key, pathOf(byId, "/latest"));
    expect(json._meta[APPROVAL].assetId).toBe(later.assetId);
    expect(names[thief.assetId]).toMatch(new RegExp(`/${thief.assetId}$`));
  });

  it("loses on the next read what drifts, is halted, suspended or ends, and tells it by updated_since", async () => {
    const { key } = await newKey();
    const drifting = await pinned();
    const [halted, suspended, ending, calm] = [
      await benches.newServer(),
      await benches.newServer(),
      await benches.newServer(),
      await benches.newServer(),
    ];
    await benches.govern(ending.assetId, "under_review", {}, scene.owner);
    const approvedUntil = new Date(world.clock.now() + 3_600_000).toISOString();
    await benches.govern(ending.assetId, "approved", { configuration: { approvedUntil } });
    const all = await listed(key);
    const end = all.find(({ _meta }) => _meta[APPROVAL].assetId === ending.assetId);
    expect(end._meta[APPROVAL].approvedUntil).toBe(approvedUntil);
    world.clock.advance(1_000);
    const since = new Date(world.clock.now()).toISOString();
    expect(await listed(key, { updated_since: since })).toEqual([]);
    world.clock.advance(1_000);

    const gone = async (server: { assetId: string; name: string }) => {
      expect(idsOf(await listed(key))).not.toContain(server.assetId);
      expect(statusesOf(await listed(key, { updated_since: since }))).toMatchObject({ [server.name]: "deleted" });
      const { name, version } = (await listed(key, { include_deleted: "true", search: server.name }))[0].server;
      for (const rest of ["", "/latest", `/${encodeURIComponent(version)}`])
        expect((await get(key, pathOf(name, rest))).status, rest).toBe(404);
      expect((await get(key, `${pathOf(name, "/latest")}?include_deleted=true`)).status).toBe(404);
      const kept = await get(key, `${pathOf(name, `/${encodeURIComponent(version)}`)}?include_deleted=true`);
      expect([kept.status, kept.json._meta[OFFICIAL].isLatest]).toEqual([200, false]);
      expect([kept.json.server.remotes, kept.json._meta[APPROVAL]]).toEqual([undefined, undefined]);
    };
    await drifting.show("Reads, and writes.");
    await gone(drifting);
    const halt = await benches.asOwner("POST", "/ai/halts", {
      ...{ scope: "mcp_server", target: halted.assetId, reason },
    });
    await gone(halted);
    await benches.govern(suspended.assetId, "suspended", {}, scene.owner);
    await gone(suspended);
    world.clock.advance(3_600_000);
    await gone(ending);
    const { json } = await get(key, `/v0.1/servers?limit=100&updated_since=${encodeURIComponent(since)}`);
    expect(statusesOf(json.servers)).not.toHaveProperty(calm.name);
    await benches.asOwner("POST", `/ai/halts/${halt.id}/lift`, { reason });
    const later = new Date(world.clock.now()).toISOString();
    expect(statusesOf(await listed(key, { updated_since: later }))).toEqual({ [halted.name]: "active" });
    expect(idsOf(await listed(key))).toContain(halted.assetId);
  });

  it("goes on after its cursor while entries vanish, and leaves no other one out", async () => {
    const { key } = await newKey();
    const all = idsOf(await listed(key));
    const [second, third] = [all[1], all[2]] as [string, string];
    let pages = 0;
    const read = await listed(key, { limit: "2" }, async () => {
      pages += 1;
      if (pages !== 1) return;
      await benches.govern(second, "suspended", {}, scene.owner);
      await benches.govern(third, "suspended", {}, scene.owner);
    });
    expect(idsOf(read)).toEqual(all.filter((id) => id !== third));
    expect((await get(key, "/v0.1/servers?cursor=none")).json.code).toBe("invalid_cursor");
  });

  it("is empty while all MCP servers are stopped, whoever asks", async () => {
    const { key } = await newKey();
    expect(await listed(key)).not.toEqual([]);
    const path = "/api/v1/support/kill-switches/ai.mcp";
    const { token } = world.provider.owner;
    const turn = (status: string) => world.send("POST", path, { token, body: { status, reason } });
    expect((await turn("engaged")).status).toBe(200);
    expect(await listed(key)).toEqual([]);
    expect((await turn("released")).status).toBe(200);
    expect(await listed(key)).not.toEqual([]);
  });
});

describe("a key of the registry", () => {
  it("opens that of its tenant alone", async () => {
    const [own, other] = [await newKey(), await newKey(world.b)];
    const ids = idsOf(await listed(own.key));
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(await listed(other.key)).filter((id) => ids.includes(id))).toEqual([]);
    const [{ server }] = await listed(own.key);
    expect((await get(other.key, pathOf(server.name, "/latest"))).status).toBe(404);
  });

  it("is shown once, kept as a hash, and stands in no event", async () => {
    const { id, key } = await newKey();
    const read = await scene.send("GET", `/api/v1/ai/registry-keys/${id}`, { token: scene.owner.token });
    expect(read.text).not.toContain(key);
    const events = await eventsOf(scene);
    expect(JSON.stringify(events)).not.toContain(key.slice(4));
  });

  it("that is unknown or revoked is answered like an unknown path, and counted", async () => {
    const { id, key } = await newKey();
    const good = await newKey();
    const path = `/api/v1/ai/registry-keys/${id}/revoke`;
    expect((await get(key)).status).toBe(200);
    const revoked = await scene.send("POST", path, {
      ...{ token: scene.owner.token, headers: { "if-match": "*" }, body: { reason } },
    });
    expect([revoked.status, revoked.json.status]).toEqual([200, "revoked"]);
    const remoteAddress = "203.0.113.7";
    const from = (some: string) => world.send("GET", `/registry/${some}/v0.1/servers`, { remoteAddress });
    const answers = [await from(key), await from(`rrk_${"A".repeat(43)}`), await from("none")];
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(Array(3).fill([404, "not_found"]));
    const codes = new Set<number>();
    for (let tries = 0; tries < 12; tries += 1) codes.add((await from(key)).status);
    expect([...codes]).toEqual([404, 429]);
    expect((await from(good.key)).status).toBe(200);
  });

  it("works for a day beside the one that replaced it", async () => {
    const { id, key } = await newKey();
    const { json: next } = await scene.send("POST", `/api/v1/ai/registry-keys/${id}/rotate`, {
      ...{ token: scene.owner.token, headers: { "if-match": "*" } },
    });
    expect([(await get(key)).status, (await get(next.key)).status]).toEqual([200, 200]);
    world.clock.advance(86_400_000 - 1_000);
    expect((await get(key)).status).toBe(200);
    world.clock.advance(1_000);
    expect([(await get(key)).status, (await get(next.key)).status]).toEqual([404, 200]);
    await world.controlPlane.tick();
    expect([(await get(key)).status, (await get(next.key)).status]).toEqual([404, 200]);
  });
});
