import { type Actor, newInstallation, type Scene, type World } from "@reeve/testkit";
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from "jose";
import { parse } from "smol-toml";
import { beforeAll, describe, expect, it } from "vitest";
import { publicationBench } from "../../helpers/publication-bench.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
let second: Actor;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  second = await scene.newUser(["governance_officer"]);
  ({ asOwner, govern, newServer, bench } = publicationBench(world, scene, second));
});

const reason = "because a test wants it so";
type Benches = ReturnType<typeof publicationBench>;
let asOwner: Benches["asOwner"];
let govern: Benches["govern"];
let newServer: Benches["newServer"];
let bench: Benches["bench"];

const fileOf = (bundle: { files: { path: string; content: string }[] }, path: string) =>
  bundle.files.find((file) => file.path === path)?.content ?? "";
const reasonsOf = (bundle: { leftOut: { assetId: string; reasons: string[] }[] }, { assetId }: { assetId: string }) =>
  bundle.leftOut.find((one) => one.assetId === assetId)?.reasons ?? [];

describe("a publication", () => {
  it("holds the servers that an agent uses and that are approved, in the same bytes whoever asks how often", async () => {
    const [first, local] = [
      await newServer(),
      await newServer({
        ...{ transport: "stdio", url: null },
        launch: { command: "npx", args: ["-y", "files@1.2.3"] },
      }),
    ];
    await newServer();
    const { preview, publish, poll, agentId } = await bench("claude-code", [first, local]);
    expect((await preview()).number).toBeNull();
    const one = await publish();
    expect([one.number, one.leftOut]).toEqual([1, []]);
    expect([await publish(), await poll(), await preview()]).toEqual([one, one, one]);
    const { mcpServers } = JSON.parse(fileOf(one, "managed-mcp.json"));
    const name = ({ assetId }: { assetId: string }) =>
      one.entries.find((entry: { assetId: string }) => entry.assetId === assetId).name;
    expect(mcpServers).toEqual({
      [name(first)]: { type: "http", url: first.url },
      [name(local)]: { command: "npx", args: ["-y", "files@1.2.3"] },
    });
    const settings = JSON.parse(fileOf(one, "managed-settings.json"));
    expect(settings.hooks.PreToolUse[0].hooks[0]).toMatchObject({ type: "http", onFailure: "block" });
    expect(JSON.parse(one.closedFiles[0].content)).toEqual({ mcpServers: {} });
    const { items } = await asOwner("GET", `/ai-assets/${agentId}/activity`);
    expect(items.filter(({ type }: { type: string }) => type === "reeve.publication.made.v1")).toHaveLength(1);
  });

  it("is signed over its digest by a key of the key set, as nothing else", async () => {
    const { publish, agentId } = await bench("codex", [await newServer()]);
    const { jws, digest } = await publish();
    const { json } = await world.send("GET", "/.well-known/jwks.json");
    const { payload } = await compactVerify(jws, createLocalJWKSet(json));
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      ...{ agentId, client: "codex", digest, number: 1, tenantId: scene.tenantId },
      ...{ closedDigest: expect.stringMatching(/^[0-9a-f]{64}$/), keys: json.keys },
    });
    expect(decodeProtectedHeader(jws).typ).toBe("reeve-publication+jws");
    expect((await world.send("GET", "/api/v1/me", { token: jws })).status).toBe(401);
  });

  it("is answered with news alone, and signed anew once the keys are others", async () => {
    const { publish, credential, use } = await bench("codex", [await newServer()]);
    const read = (headers: Record<string, string> = {}) =>
      world.send("GET", "/api/v1/ai/installation/publication", { token: credential, headers });
    expect((await read()).json).toMatchObject({ number: null, jws: null });
    const first = await publish();
    const { json, headers } = await read();
    expect(json).toEqual(first);
    const condition = { "if-none-match": headers.etag ?? "" };
    expect([(await read(condition)).status, (await read(condition)).text]).toEqual([304, ""]);
    world.clock.advance(20_000);
    await world.controlPlane.rotateSigningKey();
    const after = await read(condition);
    expect([after.status, after.json]).toEqual([200, { ...first, jws: null }]);
    const again = await publish();
    expect({ ...again, jws: first.jws }).toEqual(first);
    expect(again.jws).not.toBe(first.jws);
    // Whoever knows the keys in the first signature can check the second.
    const keysIn = (jws: string) => JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString()).keys;
    await compactVerify(again.jws, createLocalJWKSet({ keys: keysIn(first.jws) }));
    expect(keysIn(again.jws)).not.toEqual(keysIn(first.jws));
    expect((await read()).json).toEqual(again);
    await use([]);
    expect((await read(condition)).json.entries).toEqual([]);
  });

  it("loses on the next look what is suspended, ends soon, is halted, or waits because one person added it", async () => {
    const [one, two, three] = [await newServer(), await newServer(), await newServer()];
    const { publish, use, agentId } = await bench("codex", [one, two]);
    expect((await publish()).entries).toHaveLength(2);
    await govern(one.assetId, "suspended", {}, scene.owner);
    const narrower = await publish();
    expect([narrower.number, narrower.entries.length]).toEqual([2, 1]);
    expect(reasonsOf(narrower, one)).toContain("governance_state:suspended");
    await use([two, three]);
    const waiting = await publish();
    expect([waiting.entries.map(({ assetId }: { assetId: string }) => assetId), reasonsOf(waiting, three)]).toEqual([
      [two.assetId],
      ["agent:not_approved"],
    ]);
    await govern(agentId, "approved");
    expect((await publish()).entries).toHaveLength(2);
    const soon = new Date(world.clock.now() + 86_400_000).toISOString();
    await govern(three.assetId, "under_review", {}, scene.owner);
    await govern(three.assetId, "approved", { configuration: { approvedUntil: soon } });
    expect((await publish()).entries).toHaveLength(2);
    world.clock.advance(86_400_000 - 60_000);
    expect(reasonsOf(await publish(), three)).toEqual(["not_approved"]);
    const halt = await asOwner("POST", "/ai/halts", { scope: "all_agents", reason });
    expect((await publish()).entries).toEqual([]);
    await asOwner("POST", `/ai/halts/${halt.id}/lift`, { reason });
  });

  it("leaves out what a file would read as more than it says, and names no server in two ways", async () => {
    const hostile = [
      await newServer({ name: "__proto__", url: "https://mcp.example/*" }),
      await newServer({
        ...{ name: 'x"] [mcp_servers.evil', transport: "stdio", url: null },
        launch: { command: "node", args: ["$HOME/a.mjs", 'quote " and \\ and\nline', "\u202edne"] },
      }),
      await newServer({ name: "constructor" }),
      await newServer({ name: "Constructor!" }),
      await newServer({ name: "漢字" }),
      await newServer({ transport: "stdio", url: null, launch: null }),
    ];
    const claude = await (await bench("claude-code", hostile)).publish();
    expect(claude.entries).toHaveLength(3);
    const of = (index: number) => reasonsOf(claude, hostile[index] as { assetId: string });
    expect([of(0), of(1), of(5)]).toEqual([["not_expressible"], ["not_expressible"], ["launch_unknown"]]);
    const codex = await (await bench("codex", hostile)).publish();
    const parsed = parse(fileOf(codex, "requirements.toml")) as { mcp_servers: Record<string, unknown> };
    expect(Object.keys(parsed.mcp_servers).sort()).toEqual(
      codex.entries.map(({ name }: { name: string }) => name).sort(),
    );
    expect(Object.keys(parsed.mcp_servers)).toHaveLength(5);
    const local = codex.entries.find(({ command }: { command: string | null }) => command !== null);
    expect(parsed.mcp_servers[local.name]).toEqual({
      identity: {
        command: { executable: "node", args: local.args.map((value: string) => ({ match: "exact", value })) },
      },
    });
    for (const name of Object.keys(parsed.mcp_servers)) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });

  it("follows the documentation alone for clients that were not tried, and says so", async () => {
    const [remote, local] = [
      await newServer({ url: "https://mcp.example" }),
      await newServer({ transport: "stdio", url: null, launch: { command: "npx", args: ["-y", "files@1.2.3"] } }),
    ];
    const wild = await newServer({ url: "https://mcp.example/*" });
    const code = await (await bench("vscode", [remote, local, wild])).publish();
    expect([code.triedWith, code.directory, code.notControlled[0]]).toEqual([
      ...[null, "/etc/vscode", expect.stringContaining("not tried")],
    ]);
    expect(reasonsOf(code, wild)).toEqual(["not_expressible"]);
    const policies = JSON.parse(fileOf(code, "policy.json"));
    expect(JSON.parse(policies.ChatAllowedMcpServers)).toEqual(
      code.entries.map(({ url }: { url: string | null }) =>
        url === null ? { serverCommand: ["npx", "-y", "files@1.2.3"] } : { serverUrl: "https://mcp.example/" },
      ),
    );
    expect(code.entries.map(({ heldTo }: { heldTo: string }) => heldTo).sort()).toEqual([
      ...["command_and_arguments", "url"],
    ]);
    const closed = Object.fromEntries(
      code.closedFiles.map(({ path, content }: { path: string; content: string }) => [path, JSON.parse(content)]),
    );
    expect(closed["policy.json"]).toMatchObject({ ChatAllowedMcpServers: "[]", ChatMCP: "none" });
    const { publish, use } = await bench("cursor", [remote, local]);
    const cursor = await publish();
    expect([cursor.triedWith, cursor.entries.map(({ heldTo }: { heldTo: string }) => heldTo)]).toEqual([
      ...[null, ["none", "none"]],
    ]);
    const { hooks } = JSON.parse(fileOf(cursor, "hooks.json"));
    for (const moment of ["beforeShellExecution", "beforeMCPExecution"])
      expect(hooks[moment]).toEqual([expect.objectContaining({ failClosed: true })]);
    await use([remote]);
    expect((await publish()).number).toBe(2);
  });

  it("is taken back to an earlier set that is still approved, and held to it until it is released", async () => {
    const [one, two] = [await newServer(), await newServer()];
    const { publish, poll, use, path, agentId } = await bench("codex", [one]);
    const first = await publish();
    await use([one, two]);
    await govern(agentId, "approved");
    expect([(await publish()).number, (await publish()).entries.length]).toEqual([2, 2]);
    const restore = (number: number, token = scene.owner.token) =>
      world.send("POST", `/api/v1${path}/restore`, { token, body: { client: "codex", number, reason } });
    expect((await restore(9)).status).toBe(404);
    expect((await restore(1, world.b.owner.token)).status).toBe(404);
    const back = (await restore(1)).json;
    expect([back.number, back.heldTo, back.digest]).toEqual([3, 1, first.digest]);
    expect(reasonsOf(back, two)).toEqual(["taken_back"]);
    // It stays with whoever asks, and once more changes nothing.
    expect([(await poll()).number, (await restore(1)).json.number]).toEqual([3, 3]);
    await govern(one.assetId, "suspended", {}, scene.owner);
    expect((await poll()).entries).toEqual([]);
    const refused = await restore(2);
    expect([refused.status, refused.json.code]).toEqual([409, "transition_guard_failed"]);
    expect(refused.json.detail).toContain("governance_state:suspended");
    const released = await asOwner("POST", `${path}/release`, { client: "codex", reason });
    expect([released.heldTo, released.entries.map(({ assetId }: { assetId: string }) => assetId)]).toEqual([
      null,
      [two.assetId],
    ]);
  });

  it("of one tenant is nothing in another, and there is none for clients without files", async () => {
    const { agentId } = await bench("codex", []);
    const path = `/api/v1/ai-assets/${agentId}/publication`;
    const { token } = world.b.owner;
    expect((await world.send("GET", `${path}?clientName=codex`, { token })).status).toBe(404);
    expect((await world.send("POST", path, { token, body: { client: "codex" } })).status).toBe(404);
    expect((await world.send("GET", `${path}?clientName=vim`, { token: scene.owner.token })).status).toBe(404);
    const { credential } = await newInstallation(scene, "sdk");
    const asked = await world.send("POST", "/api/v1/ai/installation/publication", { token: credential });
    expect(asked.status).toBe(404);
  });
});
