import type { Answer, Scene, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const AT = "https://mcp.example/files";
const tool = (name: string, description = `Does ${name}.`, more: object = {}) => ({
  name,
  description,
  inputSchema: { type: "object" },
  ...more,
});

let world: World;
let scene: Scene;
beforeEach(async () => {
  // The clock advances by hours, so tokens have their longest lifetime.
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
});

const path = (id: string, rest = "") => `/api/v1/ai/mcp-servers/${id}${rest}`;
const send = (method: string, target: string, body?: object, token = scene.owner.token): Promise<Answer> =>
  scene.send(method as "GET", target, { token, ...(body ? { body } : {}) });
const newServer = (more: object = {}, who = scene.actors.operator) =>
  scene.newMcpServer({ url: AT, auth: { type: "none" }, ...more }, who);
const scan = (id: string) => send("POST", path(id, "/scan"));
const drift = async (id: string) => (await send("GET", path(id, "/drift"))).json;
const approve = (id: string, manifestDigest: string, more: object = {}) =>
  send("POST", path(id, "/tools/approve"), { manifestDigest, ...more });
const statuses = async (id: string) => {
  const { json } = await send("GET", path(id, "/tools?size=100"));
  return Object.fromEntries(json.items.map((one: { toolName: string; status: string }) => [one.toolName, one.status]));
};
const typesOf = async (id: string) => {
  const { json } = await send("GET", `/api/v1/ai/activity/${id}?size=100`);
  return json.items.map(({ type }: { type: string }) => type.replace(/^reeve\.|\.v1$/g, ""));
};

/** A server with two scanned and approved tools. */
async function approved(more: object = {}): Promise<string> {
  const id = await newServer(more);
  world.mcp.report(AT, { tools: [tool("read"), tool("write")] });
  const { json } = await scan(id);
  expect((await approve(id, json.manifest.current)).status).toBe(200);
  return id;
}

describe("a first scan", () => {
  it("registers every tool for review and approves none", async () => {
    const id = await newServer();
    world.mcp.report(AT, { tools: [tool("read"), tool("write")] });
    const { status, json } = await scan(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      scan: { outcome: "ok", error: null, added: ["read", "write"], changed: [], removed: [], restored: [] },
      connection: "reachable",
      manifest: { state: "unapproved", approved: null, observer: "none", alg: "mcp-manifest/1" },
      protocol: { era: "modern", negotiated: "2026-07-28" },
      toolCounts: { pending_review: 2, approved: 0 },
    });
    expect(await statuses(id)).toEqual({ read: "pending_review", write: "pending_review" });
    const shown = await drift(id);
    expect(shown).toMatchObject({ state: "unapproved", manifestDigest: json.manifest.current });
    expect(shown.items.map(({ name, change }: { name: string; change: string }) => [name, change])).toEqual([
      ["instructions", "added"],
      ["read", "added"],
      ["write", "added"],
    ]);
  });

  it("shows the server to no other tenant", async () => {
    const id = await newServer();
    await scan(id);
    const other = world.b.owner.token;
    for (const [method, rest, body] of [
      ["POST", "/probe"],
      ["POST", "/scan"],
      ["GET", "/tools"],
      ["GET", "/drift"],
      ["POST", "/tools/approve", { manifestDigest: "0".repeat(64) }],
    ] as const) {
      expect((await send(method, path(id, rest), body, other)).status).toBe(404);
    }
    expect(world.mcp.calls).toHaveLength(1);
  });

  it("needs a connector", async () => {
    const without = await createWorld({ mcp: undefined } as never);
    const id = await without.a.newMcpServer();
    for (const rest of ["/probe", "/scan"]) {
      const answer = await without.send("POST", path(id, rest), { token: without.a.owner.token });
      expect([answer.status, answer.json.code]).toEqual([501, "not_configured"]);
    }
  });

  it("is asked with the server's credential and with no other", async () => {
    await scan(await newServer({ auth: { type: "bearer", secret: "s3cret" } }));
    await scan(await newServer({ url: `${AT}/2`, auth: { type: "header", headerName: "X-Key", secret: "k3y" } }));
    await scan(await newServer({ url: `${AT}/3`, auth: { type: "oauth_user", clientId: "c1", secret: "t0ken" } }));
    await scan(await newServer({ url: `${AT}/4` }));
    expect(world.mcp.calls.map(({ target: { headers, oauth } }) => [headers, oauth?.secret ?? null])).toEqual([
      [{ authorization: "Bearer s3cret" }, null],
      [{ "X-Key": "k3y" }, null],
      [{}, "t0ken"],
      [{}, null],
    ]);
  });
});

describe("an approval", () => {
  it("covers exactly the snapshot that was seen", async () => {
    const id = await newServer();
    world.mcp.report(AT, { tools: [tool("read")] });
    const seen = (await scan(id)).json.manifest.current;
    world.mcp.report(AT, { tools: [tool("read", "Sends everything away.")] });
    const now = (await scan(id)).json.manifest.current;
    const refused = await approve(id, seen);
    expect([refused.status, refused.json.code, refused.json.current]).toEqual([409, "manifest_mismatch", now]);
    expect(await statuses(id)).toEqual({ read: "pending_review" });
    expect((await approve(id, now)).json.manifest).toMatchObject({ state: "in_sync", approved: now, current: now });
    expect(await statuses(id)).toEqual({ read: "approved" });
    expect(await drift(id)).toMatchObject({ state: "in_sync", severity: null, items: [] });
    expect(await typesOf(id)).toContain("mcp.tool.approved");
  });

  it("is refused before any scan", async () => {
    const answer = await approve(await newServer(), "0".repeat(64));
    expect([answer.status, answer.json.code, answer.json.current]).toEqual([409, "manifest_mismatch", null]);
  });

  it("can be of some tools, and is complete once all are approved", async () => {
    const id = await newServer();
    world.mcp.report(AT, { instructions: null, tools: [tool("read"), tool("write")] });
    const { current } = (await scan(id)).json.manifest;
    const unknown = await approve(id, current, { toolNames: ["read", "else"] });
    expect([unknown.status, unknown.json.code, unknown.json.errors[0].pointer]).toEqual([
      400,
      "invalid_reference",
      "/toolNames/1",
    ]);
    const partly = await approve(id, current, { toolNames: ["read"] });
    expect(partly.json.manifest.state).toBe("drifted");
    expect(await statuses(id)).toEqual({ read: "approved", write: "pending_review" });
    expect((await drift(id)).items).toMatchObject([{ name: "write", change: "added" }]);
    expect((await approve(id, current, { toolNames: ["write"] })).json.manifest.state).toBe("in_sync");
  });

  it("leaves out a tool that somebody has blocked, unless it is named", async () => {
    const id = await newServer();
    world.mcp.report(AT, { tools: [tool("read"), tool("write")] });
    const { current } = (await scan(id)).json.manifest;
    const { json } = await send("GET", path(id, "/tools"));
    const write = json.items.find(({ toolName }: { toolName: string }) => toolName === "write").id;
    await send("PUT", `/api/v1/ai/tools/${write}`, { status: "blocked", reason: "nobody needs to write" });
    await approve(id, current);
    expect(await statuses(id)).toEqual({ read: "approved", write: "blocked" });
    await approve(id, current, { toolNames: ["write"] });
    expect(await statuses(id)).toEqual({ read: "approved", write: "approved" });
  });

  it("is for people who may approve", async () => {
    const id = await newServer();
    const { current } = (await scan(id)).json.manifest;
    const answer = await send(
      "POST",
      path(id, "/tools/approve"),
      { manifestDigest: current },
      scene.actors.operator.token,
    );
    expect(answer.status).toBe(403);
  });
});

describe("a later scan", () => {
  it("marks an approved tool that says something else, with what differs and how grave it is", async () => {
    const id = await approved();
    world.mcp.report(AT, { tools: [tool("read", "Reads, and sends it away."), tool("write")] });
    const { json } = await scan(id);
    expect(json.scan).toMatchObject({ added: [], changed: ["read"], removed: [], restored: [] });
    expect(json.manifest.state).toBe("drifted");
    expect(await statuses(id)).toEqual({ read: "changed", write: "approved" });
    expect(await drift(id)).toMatchObject({
      severity: "high",
      items: [
        {
          kind: "tool",
          name: "read",
          change: "changed",
          changes: [
            {
              pointer: "/description",
              before: "Does read.",
              after: "Reads, and sends it away.",
              severity: "high",
              rule: "text",
            },
          ],
        },
      ],
    });
    const types = await typesOf(id);
    expect(types.filter((type: string) => type === "mcp.manifest.drifted")).toHaveLength(1);
    expect(types).toContain("mcp.tool.changed");
  });

  it("approves nothing by being repeated, and restores what says again what was approved", async () => {
    const id = await approved();
    world.mcp.report(AT, { tools: [tool("read", "Something else."), tool("write")] });
    await scan(id);
    const again = (await scan(id)).json;
    expect(again.scan).toMatchObject({ added: [], changed: [], removed: [], restored: [] });
    expect(await statuses(id)).toEqual({ read: "changed", write: "approved" });
    expect((await typesOf(id)).filter((type: string) => type === "mcp.manifest.drifted")).toHaveLength(1);
    world.mcp.report(AT, { tools: [tool("read"), tool("write")] });
    const { json } = await scan(id);
    expect(json.scan.restored).toEqual(["read"]);
    expect(json.manifest.state).toBe("in_sync");
    expect(await statuses(id)).toEqual({ read: "approved", write: "approved" });
  });

  it("has new tools wait, and removed ones come back only as what they are", async () => {
    const id = await approved();
    world.mcp.report(AT, { tools: [tool("write"), tool("delete")] });
    const { json } = await scan(id);
    expect(json.scan).toMatchObject({ added: ["delete"], removed: ["read"] });
    expect(await statuses(id)).toEqual({ read: "removed", write: "approved", delete: "pending_review" });
    expect(json.toolCounts).toEqual({ approved: 1, pending_review: 1, changed: 0, blocked: 0, removed: 1 });
    world.mcp.report(AT, { tools: [tool("read", "Back, and different."), tool("write"), tool("delete")] });
    await scan(id);
    expect((await statuses(id)).read).toBe("changed");
    world.mcp.report(AT, { tools: [tool("read"), tool("write"), tool("delete")] });
    await scan(id);
    expect((await statuses(id)).read).toBe("approved");
  });

  it("tells a renamed tool, which waits like a new one", async () => {
    const id = await approved();
    world.mcp.report(AT, { tools: [tool("read_all", "Does read."), tool("write")] });
    await scan(id);
    expect((await drift(id)).items).toMatchObject([{ name: "read_all", change: "renamed", from: "read" }]);
    expect(await statuses(id)).toEqual({ read: "removed", read_all: "pending_review", write: "approved" });
  });

  it("tells what has changed around the server, beside what it says otherwise", async () => {
    const launch = { environment: "1".repeat(64), arguments: "2".repeat(64), folder: "3".repeat(64) };
    const serverInfo = { name: "files", version: "1.0.0" };
    const id = await newServer();
    world.mcp.report(AT, { tools: [tool("read")], serverInfo, launch });
    await approve(id, (await scan(id)).json.manifest.current);
    expect((await drift(id)).circumstances).toEqual([]);
    const client = { name: "desk", capabilities: ["roots"] };
    expect((await send("PUT", path(id), { client })).status).toBe(200);
    const later = { serverInfo: { ...serverInfo, version: "1.1.0" }, launch: { ...launch, folder: "4".repeat(64) } };
    world.mcp.report(AT, { tools: [tool("read", "Reads /home/ada.")], ...later });
    await scan(id);
    expect(world.mcp.calls.at(-1)?.target.client).toEqual(client);
    expect((await drift(id)).circumstances).toEqual([
      { what: "server_version", before: "1.0.0", after: "1.1.0" },
      { what: "client_name", before: null, after: "desk" },
      { what: "client_capabilities", before: "", after: "roots" },
      { what: "folder", before: "3".repeat(64), after: "4".repeat(64) },
    ]);
    const { json } = await send("GET", `/api/v1/ai/activity/${id}?type=mcp.manifest.drifted&size=1`);
    expect(json.items[0].data.circumstances).toEqual([
      "server_version",
      "client_name",
      "client_capabilities",
      "folder",
    ]);
  });

  it("does not take a part that could not be read for one that is gone", async () => {
    const prompts = [{ name: "ask" }];
    const id = await newServer();
    world.mcp.report(AT, { tools: [tool("read")], prompts });
    const seen = (await scan(id)).json.manifest.current;
    await approve(id, seen);
    const leftOut = [{ part: "prompts", reason: "method_not_found" }] as const;
    world.mcp.report(AT, { tools: [tool("read")], leftOut });
    const { json } = await scan(id);
    expect([json.scan.outcome, json.manifest.state, json.manifest.current]).toEqual(["ok", "in_sync", seen]);
    expect(await drift(id)).toMatchObject({
      items: [],
      warnings: [{ code: "part_left_out", pointer: "/prompts", detail: "method_not_found" }],
    });
    world.mcp.report(AT, { tools: [tool("read")] });
    await scan(id);
    expect((await drift(id)).items).toMatchObject([{ kind: "prompt", name: "ask", change: "removed" }]);
  });

  it("finds no difference in order that means nothing", async () => {
    const taking = (required: string[], values: string[]) => ({
      inputSchema: { type: "object", required, properties: { a: { enum: values }, b: {} } },
    });
    const id = await newServer();
    world.mcp.report(AT, { tools: [tool("read", "Reads.", taking(["a", "b"], ["x", "y"]))] });
    await approve(id, (await scan(id)).json.manifest.current);
    world.mcp.report(AT, { tools: [tool("read", "Reads.", taking(["b", "a"], ["y", "x"]))] });
    const { json } = await scan(id);
    expect([json.manifest.state, json.scan.changed]).toEqual(["in_sync", []]);
    expect((await drift(id)).items).toEqual([]);
    world.mcp.report(AT, { tools: [tool("read", "Reads.", taking(["b", "a"], ["y", "x", "z"]))] });
    expect((await scan(id)).json.scan.changed).toEqual(["read"]);
  });

  it("finds a difference in what changes what happens, and none in what is shown only", async () => {
    const id = await newServer();
    const more = { _meta: { "acme.example/secret": true }, execution: { taskSupport: "optional" } };
    world.mcp.report(AT, { tools: [tool("read", "Reads.", more)] });
    await approve(id, (await scan(id)).json.manifest.current);
    const [kept] = (await send("GET", path(id, "/tools"))).json.items;
    expect(kept).toMatchObject({ meta: more._meta, execution: more.execution });
    world.mcp.report(AT, { tools: [tool("read", "Reads.", { ...more, icons: [{ src: "https://a.example/i.png" }] })] });
    expect((await scan(id)).json.scan.changed).toEqual([]);
    expect((await drift(id)).items).toEqual([]);
    world.mcp.report(AT, { tools: [tool("read", "Reads.", { ...more, _meta: {} })] });
    expect((await scan(id)).json.scan.changed).toEqual(["read"]);
    expect((await drift(id)).items[0].changes).toMatchObject([{ pointer: "/_meta/acme.example~1secret" }]);
  });

  it("asks a server again in the version that it has spoken", async () => {
    const id = await approved();
    expect(world.mcp.calls[0]?.target.confirmedVersion).toBeNull();
    await scan(id);
    expect(world.mcp.calls.at(-1)?.target.confirmedVersion).toBe("2026-07-28");
    await send("PUT", path(id), { protocol: { mode: "legacy" } });
    await scan(id);
    expect(world.mcp.calls.at(-1)?.target).toMatchObject({ confirmedVersion: null, protocol: "legacy" });
  });

  it("tells of a server that answers an older protocol or under another name", async () => {
    const id = await approved();
    world.mcp.report(AT, {
      tools: [tool("read"), tool("write")],
      protocol: { negotiated: "2025-11-25", era: "legacy", supportedVersions: [] },
      serverInfo: { name: "somebody else", version: "1" },
    });
    const { json } = await scan(id);
    expect(json.manifest.state).toBe("in_sync");
    expect((await drift(id)).warnings.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(["server_renamed", "protocol_downgraded"]),
    );
    expect(await typesOf(id)).toContain("mcp.protocol.downgraded");
  });

  it("warns of names that another server uses, in this tenant only", async () => {
    await approved();
    const id = await newServer({ url: `${AT}/2` });
    world.mcp.report(`${AT}/2`, { tools: [tool("rеad")], serverInfo: { name: `server at ${AT}`, version: "1" } });
    await scan(id);
    const codes = (await drift(id)).warnings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(["same_name_elsewhere", "server_name_taken", "mixed_scripts"]));
    const elsewhere = await world.b.newMcpServer({ url: AT, auth: { type: "none" } });
    const token = world.b.owner.token;
    await send("POST", path(elsewhere, "/scan"), undefined, token);
    expect((await send("GET", path(elsewhere, "/drift"), undefined, token)).json.warnings).toEqual([]);
  });
});

describe("a scan that fails", () => {
  it.each([
    ["timeout", "degraded"],
    ["unreachable", "degraded"],
    ["protocol_error", "degraded"],
    ["too_large", "degraded"],
    ["too_many", "degraded"],
    ["auth_required", "auth_required"],
    ["forbidden", "misconfigured"],
    ["misconfigured", "misconfigured"],
    ["target_not_allowed", "misconfigured"],
  ] as const)("with %s removes nothing, approves nothing, and leaves the server %s", async (code, connection) => {
    const id = await approved();
    const before = (await send("GET", path(id))).json;
    world.mcp.report(AT, { code, reason: "a_test" });
    const { status, json } = await scan(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ scan: { outcome: "failed", error: { code, reason: "a_test" } }, connection });
    expect(json.lastProbeError.code).toBe(code);
    expect(json.manifest).toEqual(before.manifest);
    expect(await statuses(id)).toEqual({ read: "approved", write: "approved" });
    expect(await drift(id)).toMatchObject({ state: "in_sync", items: [] });
  });

  it("counts to unreachable, and one answer puts everything right", async () => {
    const id = await approved();
    world.mcp.report(AT, { code: "timeout", reason: "no_answer" });
    const seen: string[] = [];
    for (let look = 0; look < 4; look++) seen.push((await send("POST", path(id, "/probe"))).json.connection);
    expect(seen).toEqual(["degraded", "degraded", "unreachable", "unreachable"]);
    world.mcp.report(AT, { tools: [tool("read"), tool("write")] });
    const { json } = await send("POST", path(id, "/probe"));
    expect(json).toMatchObject({
      probe: { outcome: "ok" },
      connection: "reachable",
      consecutiveFailures: 0,
      lastProbeError: null,
    });
    expect(await statuses(id)).toEqual({ read: "approved", write: "approved" });
  });

  it("because two tools have one name stores neither", async () => {
    const id = await newServer();
    world.mcp.report(AT, { tools: [tool("read"), tool("read", "Reads otherwise.")] });
    expect((await scan(id)).json.scan).toMatchObject({
      outcome: "failed",
      error: { code: "protocol_error", reason: "duplicate_name" },
    });
    expect(await statuses(id)).toEqual({});
  });

  it("because a server has invented more names than are kept stores none of them", async () => {
    const id = await newServer();
    const many = (prefix: string) => Array.from({ length: 400 }, (_, index) => tool(`${prefix}${index}`));
    for (const prefix of ["a", "b"]) {
      world.mcp.report(AT, { tools: many(prefix) });
      expect((await scan(id)).json.scan.outcome).toBe("ok");
    }
    world.mcp.report(AT, { tools: many("c") });
    expect((await scan(id)).json).toMatchObject({
      scan: { outcome: "failed", error: { code: "too_many", reason: "tools_ever_seen" } },
    });
    expect(Object.keys(await statuses(id)).some((name) => name.startsWith("c"))).toBe(false);
  });
});

describe("a tool that seems to do more than it says", () => {
  const find = tool("find", "Finds.", { annotations: { readOnlyHint: true, openWorldHint: false } });
  const mail = tool("mail_send", "Mails.", { annotations: { readOnlyHint: true, openWorldHint: false } });
  const toolOf = async (id: string, name: string) =>
    (await send("GET", path(id, "/tools"))).json.items.find((one: { toolName: string }) => one.toolName === name);

  it("has the effects of its name, until a person has decided", async () => {
    const id = await newServer();
    world.mcp.report(AT, { tools: [find, mail] });
    const { current } = (await scan(id)).json.manifest;
    expect((await drift(id)).warnings).toMatchObject([
      { code: "annotation_contradicts_name", pointer: "/tools/1/annotations", detail: "send" },
    ]);
    expect(await toolOf(id, "find")).toMatchObject({ effects: ["read"], effectsFrom: "annotations" });
    const found = await toolOf(id, "mail_send");
    expect(found).toMatchObject({ effects: ["write", "external"], effectsFrom: "name" });
    await approve(id, current);
    const review = { status: "approved", digest: found.pin.current, effects: ["read"], reason: "It writes a draft." };
    expect((await send("POST", `/api/v1/ai/tools/${found.id}/review`, review)).status).toBe(200);
    world.mcp.report(AT, { tools: [find, { ...mail, description: "Mails now." }] });
    await scan(id);
    expect(await toolOf(id, "mail_send")).toMatchObject({ effects: ["read"], effectsFrom: "review" });
  });

  it("and runs others is approved by its name only, and never by a rule", async () => {
    const run = tool("execute_tool", "Executes.", { inputSchema: { type: "object", properties: { name: {} } } });
    const id = await newServer();
    world.mcp.report(AT, { tools: [find, run] });
    const { current } = (await scan(id)).json.manifest;
    expect((await drift(id)).warnings).toMatchObject([{ code: "dispatcher", pointer: "/tools/1" }]);
    await approve(id, current);
    expect(await statuses(id)).toEqual({ find: "approved", execute_tool: "pending_review" });
    await approve(id, current, { toolNames: ["execute_tool"] });
    expect(await statuses(id)).toEqual({ find: "approved", execute_tool: "approved" });
    const other = await newServer({ url: `${AT}/2` });
    expect((await send("PUT", path(other), { trustMode: "auto_accept" })).status).toBe(200);
    world.mcp.report(`${AT}/2`, { tools: [find, run] });
    await scan(other);
    expect(await statuses(other)).toEqual({ find: "approved", execute_tool: "pending_review" });
  });
});

describe("the trust of a server", () => {
  it("strict takes it out of use when it drifts", async () => {
    const id = await approved({ trustMode: "strict" });
    world.mcp.report(AT, { tools: [tool("read", "Something else."), tool("write")] });
    const { json } = await scan(id);
    expect(json).toMatchObject({ blockedBy: "governance_state:suspended", manifest: { state: "drifted" } });
    const { json: asset } = await send("GET", `/api/v1/ai-assets/${json.assetId}`);
    expect(asset.governanceState).toBe("suspended");
  });

  it("auto_accept approves what is found, and never because of a failure", async () => {
    const id = await newServer();
    expect((await send("PUT", path(id), { trustMode: "auto_accept" })).status).toBe(200);
    world.mcp.report(AT, { code: "timeout", reason: "no_answer" });
    expect((await scan(id)).json.manifest.state).toBe("unapproved");
    world.mcp.report(AT, { tools: [tool("read")] });
    expect((await scan(id)).json.manifest.state).toBe("in_sync");
    world.mcp.report(AT, { tools: [tool("read", "Else."), tool("write")] });
    expect((await scan(id)).json.toolCounts).toMatchObject({ approved: 2 });
    expect(await statuses(id)).toEqual({ read: "approved", write: "approved" });
  });
});

describe("scans of one server at once", () => {
  it("look once, and store what was found once", async () => {
    // Who scans has been here before, so that all scans take the same way to the probe.
    const id = await newServer({}, scene.owner);
    let release = () => {};
    world.mcp.pause(AT, new Promise((resolve) => (release = resolve)));
    const scans = Array.from({ length: 8 }, () => scan(id));
    while (world.mcp.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // After so many later requests, all eight scans are waiting for the probe.
    for (let read = 0; read < 256; read++) await send("GET", path(id));
    release();
    const answers = await Promise.all(scans);
    expect(answers.every(({ json }) => json.scan.outcome === "ok")).toBe(true);
    expect(answers.filter(({ json }) => json.scan.added.length > 0)).toHaveLength(1);
    expect(world.mcp.calls).toHaveLength(1);
    expect(await statuses(id)).toEqual({ look: "pending_review", change: "pending_review" });
  });

  it("leave what the newer look has stored", async () => {
    const id = await newServer({ scanIntervalSec: 3_600 });
    let release = () => {};
    world.mcp.report(AT, { tools: [tool("old")] });
    world.mcp.pause(AT, new Promise((resolve) => (release = resolve)));
    const older = scan(id);
    while (world.mcp.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(1_000);
    world.mcp.pause(AT, Promise.resolve());
    world.mcp.report(AT, { tools: [tool("new")] });
    await world.controlPlane.tick();
    release();
    expect((await older).json.scan.added).toEqual([]);
    expect(await statuses(id)).toEqual({ new: "pending_review" });
  });

  it("say nothing of a server that is registered otherwise meanwhile", async () => {
    const id = await newServer();
    let release = () => {};
    world.mcp.pause(AT, new Promise((resolve) => (release = resolve)));
    const scanning = scan(id);
    while (world.mcp.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await send("PUT", path(id), { url: `${AT}/moved` });
    release();
    const answer = await scanning;
    expect([answer.status, answer.json.code]).toEqual([409, "concurrent_modification"]);
    expect(await statuses(id)).toEqual({});
  });
});

describe("a server whose approval has run out", () => {
  it.each(["probe", "scan", "approve"])("is shown so by the answer to a %s, before any tick", async (door) => {
    const id = await approved();
    const { assetId, manifest } = (await send("GET", path(id))).json;
    const govern = async (status: string, { token }: { token: string }, configuration?: object) => {
      const body = { status, reason: "for the sake of this test", configuration };
      const answer = await send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, body, token);
      expect(answer.status, answer.text).toBe(200);
    };
    const approvedUntil = new Date(world.clock.now() + 60_000).toISOString();
    await govern("under_review", scene.actors.operator);
    await govern("approved", scene.actors.approver, { approvedUntil });
    world.clock.set(approvedUntil);
    const answer = await (door === "approve" ? approve(id, manifest.current) : send("POST", path(id, `/${door}`)));
    expect([answer.status, answer.json.governanceState]).toEqual([200, "expired"]);
    expect(await send("GET", path(id))).toMatchObject({ json: { governanceState: "expired" } });
    expect(answer.json.version).toBe((await send("GET", path(id))).json.version);
  });
});
