import type { Actor, Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const TOOLS = "/api/v1/ai/tools";
const SERVERS = "/api/v1/ai/mcp-servers";
const AT = "https://mcp.example/files";
const reason = "Looked at what it does, and at whom it calls.";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const actors = () => world.a.actors;
const send = (
  method: string,
  path: string,
  body: object | undefined,
  { token }: Pick<Actor, "token">,
  ifMatch?: string,
): Promise<Answer> =>
  world.send(method, path, {
    token,
    ...(body ? { body } : {}),
    ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
  });
const read = async (id: string) => (await send("GET", `${TOOLS}/${id}`, undefined, world.a.owner)).json;
const seen = async (id: string) => (await read(id)).pin.current as string;
const review = (id: string, body: object, who: Pick<Actor, "token">, ifMatch?: string) =>
  send("POST", `${TOOLS}/${id}/review`, body, who, ifMatch);
const newTool = (more: Readonly<Record<string, unknown>> = {}, who: Actor = actors().operator) =>
  world.a.newTool({ origin: "http", toolName: "orders.read", ...more }, who);
const waiting = async (id: string) => {
  const { json } = await send("GET", "/api/v1/reviews?kind=tool_review&size=100", undefined, actors().approver);
  return json.items.filter(({ subject }: { subject: { id: string } }) => subject.id === id).length;
};

describe("E4 a tool review", () => {
  it.each(["approver", "governance_officer"] as const)("is done by the %s, who may not write tools", async (role) => {
    const id = await newTool();
    expect((await send("PUT", `${TOOLS}/${id}`, { title: "Other" }, actors()[role])).status).toBe(403);
    expect(await waiting(id)).toBe(1);
    const said = { effects: ["read", "external"], requiresApproval: true };
    const answer = await review(id, { status: "approved", digest: await seen(id), ...said, reason }, actors()[role]);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        status: "approved",
        ...said,
        effectsFrom: "review",
        reviewed: { by: actors()[role].userId, rationale: reason },
        involved: { ids: [], beyond: 0 },
        pin: { state: "in_sync", approvedBy: actors()[role].userId },
      },
    });
    expect(await waiting(id)).toBe(0);
    for (const who of [actors().operator, actors().member, actors().auditor])
      expect((await review(id, { status: "blocked", reason }, who)).status).toBe(403);
  });

  it("is refused to who registered or changed the tool, at either door", async () => {
    const { admin, approver } = actors();
    const id = await newTool({}, world.a.owner);
    await send("PUT", `${TOOLS}/${id}`, { toolDescription: "Reads all orders." }, admin);
    const digest = await seen(id);
    for (const who of [world.a.owner, admin]) {
      const own = { status: 403, json: { code: "self_approval_forbidden" } };
      expect(await review(id, { status: "approved", digest }, who)).toMatchObject(own);
      const { version } = await read(id);
      expect(await send("PUT", `${TOOLS}/${id}`, { status: "approved" }, who, `"${version}"`)).toMatchObject(own);
    }
    expect((await read(id)).status).toBe("pending_review");
    expect((await review(id, { status: "approved", digest }, approver)).json.status).toBe("approved");
  });

  it("is refused to who owns the tool, and to another tenant", async () => {
    const { approver, governance_officer: officer } = actors();
    const id = await newTool({ owner: { type: "user", id: approver.userId } });
    const body = { status: "approved", digest: await seen(id) };
    expect((await review(id, body, approver)).json.code).toBe("self_approval_forbidden");
    expect((await review(id, body, world.b.actors.approver)).status).toBe(404);
    expect((await review(id, body, officer)).json.status).toBe("approved");
  });

  it("S19 names what was seen, and is refused when it has changed since", async () => {
    const { approver, operator, admin } = actors();
    const id = await newTool();
    const { version, pin } = await read(id);
    expect(await review(id, { status: "approved" }, approver)).toMatchObject({
      status: 428,
      json: { code: "precondition_required" },
    });
    expect((await review(id, { status: "approved" }, approver, "*")).status).toBe(428);
    expect((await send("PUT", `${TOOLS}/${id}`, { status: "approved" }, admin)).status).toBe(428);
    await send("PUT", `${TOOLS}/${id}`, { toolDescription: "Reads orders and mails them." }, operator);
    expect((await review(id, { status: "approved", digest: pin.current }, approver)).status).toBe(412);
    expect((await review(id, { status: "approved" }, approver, `"${version}"`)).status).toBe(412);
    expect((await read(id)).status).toBe("pending_review");
    expect((await review(id, { status: "approved" }, approver, `"${version + 1}"`)).json.status).toBe("approved");
  });

  it("says effects with a reason, and again while it is approved", async () => {
    const { approver } = actors();
    const id = await newTool();
    const digest = await seen(id);
    const more = { status: "approved", digest, effects: ["write"] };
    expect((await review(id, more, approver)).json.code).toBe("missing_reason");
    expect((await review(id, { ...more, status: "blocked", reason }, approver)).status).toBe(400);
    await review(id, { status: "approved", digest }, approver);
    expect((await review(id, { ...more, reason }, approver)).json).toMatchObject({
      status: "approved",
      effects: ["write"],
    });
  });

  it("is asked for again when somebody lowers what it has found", async () => {
    const { approver, admin } = actors();
    const id = await newTool();
    const said = { effects: ["write"], requiresApproval: true };
    await review(id, { status: "approved", digest: await seen(id), ...said, reason }, approver);
    const put = (body: object) => send("PUT", `${TOOLS}/${id}`, body, admin);
    expect((await put({ effects: ["write", "external"] })).json.status).toBe("approved");
    expect((await put({ requiresApproval: false })).json).toMatchObject({
      status: "pending_review",
      pin: { state: "unapproved", approved: null },
    });
    expect(await waiting(id)).toBe(1);
    expect((await review(id, { status: "approved", digest: await seen(id) }, admin)).status).toBe(403);
  });

  it("blocks with a reason, and gives back to review", async () => {
    const { approver } = actors();
    const id = await newTool();
    expect((await review(id, { status: "blocked", reason }, approver)).json).toMatchObject({
      status: "blocked",
      reviewed: { rationale: reason },
    });
    expect((await review(id, { status: "pending_review" }, approver)).json.status).toBe("pending_review");
  });
});

describe("E4 a review of many tools", () => {
  const many = (items: readonly object[], who: Pick<Actor, "token">) => send("POST", `${TOOLS}/review`, { items }, who);

  it("decides each by itself, and tells of each", async () => {
    const { approver } = actors();
    const ids = [
      await newTool(),
      await newTool({}, world.a.owner),
      await newTool(),
      await newTool({ owner: { type: "user", id: approver.userId } }),
    ];
    const foreign = await world.b.newTool();
    const approved = async (id: string) => ({ id, status: "approved", digest: await seen(id) });
    const [one, two, three, own] = await Promise.all(ids.map(approved));
    const { status, json } = await many(
      [
        one,
        two,
        { ...three, digest: "0".repeat(64) },
        own,
        { id: foreign, status: "blocked", reason },
        { id: "x", status: "blocked", reason },
        { id: three?.id, status: "approved" },
      ] as object[],
      approver,
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({ reviewed: 2, failed: 5 });
    expect(json.items.map(({ problem }: { problem: { code: string } | null }) => problem?.code ?? null)).toEqual([
      null,
      null,
      "precondition_failed",
      "self_approval_forbidden",
      "not_found",
      "not_found",
      "precondition_required",
    ]);
    expect(json.items.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual(ids.slice(0, 2));
    const statuses = await Promise.all(ids.map(async (id) => (await read(id)).status));
    expect(statuses).toEqual(["approved", "approved", "pending_review", "pending_review"]);
  });

  it("takes a hundred and no more", async () => {
    const item = { id: "tol_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", status: "blocked", reason };
    const of = (count: number) =>
      many(
        Array.from({ length: count }, () => item),
        actors().approver,
      );
    expect((await of(100)).json).toMatchObject({ failed: 100 });
    expect((await of(101)).status).toBe(400);
    expect((await of(0)).status).toBe(400);
  });
});

describe("E4 the approval of what an MCP server offers", () => {
  it("is refused to who registered, changed or owns the server, and not to who scanned it", async () => {
    const { operator, admin, approver, governance_officer: officer } = actors();
    const owner = { type: "user", id: officer.userId };
    const id = await world.a.newMcpServer({ url: AT, auth: { type: "none" }, owner }, world.a.owner);
    await send("PUT", `${SERVERS}/${id}`, { registryName: "com.example/files" }, admin);
    world.mcp.report(AT, { tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }] });
    const { json } = await send("POST", `${SERVERS}/${id}/scan`, undefined, operator);
    const manifestDigest = json.manifest.current;
    const approve = (who: Actor) => send("POST", `${SERVERS}/${id}/tools/approve`, { manifestDigest }, who);
    const { items } = (await send("GET", `${SERVERS}/${id}/tools`, undefined, operator)).json;
    const [tool] = items;
    for (const who of [world.a.owner, admin, officer]) {
      expect(await approve(who)).toMatchObject({ status: 403, json: { code: "self_approval_forbidden" } });
      const own = await review(tool.id, { status: "approved", digest: tool.pin.current }, who);
      expect(own.json.code).toBe("self_approval_forbidden");
    }
    expect((await read(tool.id)).status).toBe("pending_review");
    expect((await approve(approver)).json).toMatchObject({ manifest: { state: "in_sync" }, involved: { ids: [] } });
    expect((await read(tool.id)).status).toBe("approved");
  });

  it("may be given by who scanned it", async () => {
    const { operator } = actors();
    const id = await world.a.newMcpServer({ url: AT, auth: { type: "none" } }, operator);
    world.mcp.report(AT, { tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }] });
    const { json } = await send("POST", `${SERVERS}/${id}/scan`, undefined, world.a.owner);
    const body = { manifestDigest: json.manifest.current };
    expect((await send("POST", `${SERVERS}/${id}/tools/approve`, body, world.a.owner)).status).toBe(200);
  });
});

describe("a blocked tool of a server", () => {
  it("is deleted only by who may approve tools, because the next scan registers it anew", async () => {
    const serverId = await world.a.newMcpServer({ url: AT });
    const [blocked, plain] = [
      await newTool({ origin: "mcp", serverId, toolName: "a" }),
      await newTool({ origin: "mcp", serverId, toolName: "b" }),
    ];
    await review(blocked, { status: "blocked", reason }, actors().approver);
    const remove = async (id: string, who: Actor) =>
      (await send("DELETE", `${TOOLS}/${id}`, undefined, who)).json?.code ?? "deleted";
    expect(await remove(blocked, actors().operator)).toBe("permission_denied");
    expect(await remove(plain, actors().operator)).toBe("deleted");
    expect(await remove(blocked, world.a.owner)).toBe("deleted");
  });
});
