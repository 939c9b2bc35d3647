import { ConnectorError } from "@reeve/core/connectors";
import type { Answer, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessUses } from "#families/access-drift/usage/schema.js";
import { agentToolCalls, agentToolKeys, agentToolTokens } from "#families/agent-tools/tokens/schema.js";
import { READ, type ToolBench, toolBench, WRITE } from "../../helpers/agent-tools.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const MINUTE = 60_000;
const REASON = { reason: "The agent does not need it." };
const tick = () => world.controlPlane.tick();
const later = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  await tick();
};
const refusal = ({ status, json }: Answer) => [status, json.code];
/** A refusal without what differs from request to request. */
const plain = ({ status, text, headers }: Answer) => {
  const { "x-request-id": _id, date: _date, ratelimit: _limit, "ratelimit-reset": _reset, ...same } = headers;
  return { status, headers: Object.keys(same).sort(), text: text.replace(/"requestId":"[^"]*"/, "") };
};
const get = async (path: string) => {
  const answer = await world.send("GET", `/api/v1${path}`, { token: world.a.owner.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const key = () => ({ idempotencyKey: world.a.unique() });
const tokenRecord = async (id: string) =>
  (await world.store.forTenant(world.a.tenantId).get(agentToolTokens, id))?.value;
const usesOf = async ({ assetId }: ToolBench) => (await get(`/ai-assets/${assetId}/access-usage`)).items;

describe("a token for tools", () => {
  it("runs what access opens, and is kept nowhere", async () => {
    const bench = await toolBench(world);
    const { id, token, tools } = await bench.issue();
    expect(tools.sort()).toEqual(["read_note", "write_note"]);
    const answer = await bench.run(token);
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { status: "ok", result: { tool: "read_note" }, contentTrust: "untrusted", remainingCalls: null, replayed: false },
    ]);
    const { items } = await get(`/ai-assets/${bench.assetId}/agent-tool-tokens`);
    expect(items).toMatchObject([{ id, status: "active", callsUsed: 1, last4: token.slice(-4) }]);
    const reader = world.store.forTenant(world.a.tenantId);
    const kept = await Promise.all(
      [agentToolTokens, agentToolKeys, agentToolCalls, accessUses].map((one) =>
        reader.scan(one as typeof agentToolTokens, { size: 1_000 }),
      ),
    );
    const events = await eventsOf(world.a);
    expect(JSON.stringify([kept.flat().map(({ text }) => text), events])).not.toContain(token.slice(4));
    const [use] = await usesOf(bench);
    expect(use).toMatchObject({
      id: answer.json.usageId,
      assignmentId: bench.assignmentId,
      tokenId: id,
      tool: "read_note",
      outcome: "success",
      source: "gateway",
      actors: [
        { type: "user", id: world.a.owner.userId },
        { type: "agent", id: bench.assetId },
      ],
    });
    expect(JSON.stringify(use)).not.toContain("docs/a.md");
    expect((await bench.read(bench.assignmentId)).lastUsedAt).toBe(use.at);
  });

  it("pitfall 35: is refused alike whether it is unknown, malformed, expired, exhausted, revoked or a trap", async () => {
    const bench = await toolBench(world);
    const short = await bench.issue({ ttlSeconds: 30 });
    await later(31_000);
    const once = await bench.issue({ constraints: { maxCalls: 1 } });
    expect((await bench.run(once.token)).json.remainingCalls).toBe(0);
    const ended = await bench.issue();
    const path = `/api/v1/ai-assets/${bench.assetId}/agent-tool-tokens/${ended.id}/revoke`;
    expect((await world.send("POST", path, { token: world.a.owner.token, body: REASON })).json.status).toBe("revoked");
    const trap = await bench.issue({ honeytoken: true });
    const unknown = `att_${"A".repeat(43)}`;
    const tokens = [unknown, "x", "att_", short.token, once.token, ended.token, trap.token, `${ended.token} `];
    const answers = await Promise.all(tokens.map((token) => bench.run(token)));
    expect(answers.map(refusal)).toEqual(tokens.map(() => [401, "invalid_token"]));
    expect(new Set(answers.map((answer) => JSON.stringify(plain(answer)))).size).toBe(1);
    const lists = await Promise.all(tokens.map((token) => bench.list(token)));
    expect(lists.map(refusal)).toEqual(tokens.map(() => [401, "invalid_token"]));
    const reported = (await eventsOf(world.a)).filter(({ attributes }) =>
      attributes.includes("access.token.honeytoken_used"),
    );
    expect(reported).toHaveLength(2);
    expect(reported[0]?.attributes).toContain("ERROR");
    const findings = `/api/v1/ai-governance/findings?source=access&assetId=${bench.assetId}`;
    expect((await world.send("GET", findings, { token: world.a.owner.token })).json.items).toMatchObject([
      { status: "open", severity: "critical", ruleKey: "honeytoken_used", locus: trap.id },
    ]);
  });

  it("lists the tools that it opens at this moment, which is no use of them", async () => {
    const bench = await toolBench(world);
    const both = await bench.issue();
    const reading = await bench.issue({ constraints: { readOnly: true } });
    const one = await bench.issue({ tools: ["write_note"] });
    const names = async (token: string) =>
      (await bench.list(token)).json.tools.map(({ name }: { name: string }) => name);
    expect(await names(both.token)).toEqual(["read_note", "write_note"]);
    expect(await names(reading.token)).toEqual(["read_note"]);
    expect(await names(one.token)).toEqual(["write_note"]);
    const [reported] = (await bench.list(reading.token)).json.tools;
    expect(reported).toMatchObject({ effect: "read", idempotent: true, inputSchema: { type: "object" } });
    expect(await usesOf(bench)).toEqual([]);
    world.clock.advance(MINUTE);
    for (let call = 0; call < 60; call++) await bench.list(one.token);
    expect((await bench.list(one.token)).status).toBe(429);
    expect((await bench.run(one.token)).status).toBe(429);
    await bench.act(bench.assignmentId, "revoke", REASON);
    expect(refusal(await bench.list(both.token))).toEqual([401, "invalid_token"]);
  });

  it("lists no tool whose access is not in force, also where the token still stands", async () => {
    const bench = await toolBench(world, { parameters: { readOnly: true } });
    const { token, tools } = await bench.issue();
    const listed = (await bench.list(token)).json.tools.map(({ name }: { name: string }) => name);
    expect([tools.includes("write_note"), listed]).toEqual([true, ["read_note"]]);
    expect(refusal(await bench.run(token, { ...WRITE, ...key() }))).toEqual([403, "constraint_violation"]);
  });

  it("pitfall 17: is worth nothing once its access is revoked, also when it is tried again later", async () => {
    const bench = await toolBench(world);
    const { id, token } = await bench.issue();
    expect((await bench.run(token)).status).toBe(200);
    await bench.act(bench.assignmentId, "revoke", REASON);
    expect(refusal(await bench.run(token))).toEqual([401, "invalid_token"]);
    expect(await tokenRecord(id)).toMatchObject({ status: "revoked", endReason: "The access is revoking." });
    await later(MINUTE);
    expect(refusal(await bench.run(token))).toEqual([401, "invalid_token"]);
    expect(bench.account.ran).toHaveLength(1);
  });

  it("pitfall 15 and 32: is worth nothing at the end of its access, although no job has run", async () => {
    const bench = await toolBench(world, { duration: "PT10M" });
    const { token, expiresAt } = await bench.issue({ ttlSeconds: 3_600 });
    expect(Date.parse(expiresAt) - world.clock.now()).toBe(10 * MINUTE);
    world.clock.advance(10 * MINUTE - 1);
    expect((await bench.run(token)).status).toBe(200);
    world.clock.advance(1);
    expect(refusal(await bench.run(token))).toEqual([401, "invalid_token"]);
    expect(bench.account.ran).toHaveLength(1);
  });

  it("goes on while one of several accesses carries it, and does not outlive the other", async () => {
    const bench = await toolBench(world);
    const second = await bench.grant({ duration: "PT5M" });
    const { token } = await bench.issue({ assignmentIds: [bench.assignmentId] });
    await bench.act(second, "revoke", REASON);
    expect((await bench.run(token)).status).toBe(200);
  });

  it.each([
    ["its asset is suspended", async (bench: ToolBench) => govern(bench, "suspended")],
    ["its asset is retired", async (bench: ToolBench) => retire(bench)],
    [
      "its connection is disabled",
      async (bench: ToolBench) =>
        patch(`/connector-instances/${bench.connectorInstanceId}`, { status: "disabled", ...REASON }),
    ],
    [
      "its identity is removed",
      async (bench: ToolBench) => {
        await bench.act(bench.assignmentId, "revoke", REASON);
        await tick();
        await send("DELETE", `/ai-assets/${bench.assetId}/access-identities/${bench.identityId}`);
      },
    ],
  ] as const)("ends when %s", async (_what, stop) => {
    const bench = await toolBench(world);
    const { id, token } = await bench.issue();
    await stop(bench);
    expect((await tokenRecord(id))?.status).toBe("revoked");
    expect(refusal(await bench.run(token))).toEqual([401, "invalid_token"]);
    expect(bench.account.ran).toEqual([]);
  });

  it("ends with its session, and is taken in no other one", async () => {
    const bench = await toolBench(world);
    const sessionId = await world.a.newSession({ agentId: null });
    const { id, token } = await bench.issue({ sessionId });
    expect((await bench.run(token, { ...READ, sessionId })).status).toBe(200);
    const other = await world.a.newSession({ agentId: null });
    expect(refusal(await bench.run(token, { ...READ, sessionId: other }))).toEqual([403, "assignment_inactive"]);
    const pause = { reason: "It looks odd, so it waits." };
    await send("POST", `/ai/sessions/${sessionId}/suspend`, pause);
    expect(refusal(await bench.run(token))).toEqual([403, "assignment_inactive"]);
    await send("POST", `/ai/sessions/${sessionId}/terminate`, pause);
    expect((await tokenRecord(id))?.status).toBe("revoked");
    expect(refusal(await bench.run(token))).toEqual([401, "invalid_token"]);
  });

  it("is stopped by kill switches, and ended by the one of its asset", async () => {
    const bench = await toolBench(world);
    const { id, token } = await bench.issue();
    await flip("agent_tools.execute", "engaged");
    expect(refusal(await bench.run(token))).toEqual([503, "kill_switch_active"]);
    expect((await bench.ask()).status).toBe(503);
    await flip("agent_tools.execute", "released");
    expect((await bench.run(token)).status).toBe(200);
    await flip(`ai.asset.${bench.assetId}`, "engaged");
    expect(refusal(await bench.run(token))).toEqual([403, "assignment_inactive"]);
    await flip(`ai.asset.${bench.assetId}`, "released");
    expect((await tokenRecord(id))?.status).toBe("revoked");
    const idle = await bench.issue();
    await flip(`ai.asset.${bench.assetId}`, "engaged");
    await tick();
    expect((await tokenRecord(idle.id))?.status).toBe("revoked");
    await flip(`ai.asset.${bench.assetId}`, "released");
    expect(refusal(await bench.run(idle.token))).toEqual([401, "invalid_token"]);
  });

  it("is ended by a finding that halts its agent, and names it", async () => {
    const { token: owner } = world.a.owner;
    const tokenOf = async ({ assetId }: { assetId: string }, id: string) => {
      const path = `/api/v1/ai-assets/${assetId}/agent-tool-tokens`;
      const { items } = (await world.send("GET", path, { token: owner })).json;
      return items.find((one: { id: string }) => one.id === id);
    };
    const [tried, resting] = [
      await toolBench(world, {}, { assetType: "agent" }),
      await toolBench(world, {}, { assetType: "agent" }),
    ];
    const [first, second] = [await tried.issue(), await resting.issue()];
    const findingId = await world.a.newFinding(tried.assetId, { severity: "critical" });
    const body = { ...REASON, scope: "all_agents", findingId };
    const halt = await world.send("POST", "/api/v1/ai/halts", { token: owner, body });
    expect(halt.status, halt.text).toBe(201);
    expect(refusal(await tried.run(first.token))).toEqual([403, "assignment_inactive"]);
    const ended = { status: "revoked", endReason: "The asset may not be used.", findingId };
    expect(await tokenOf(tried, first.id)).toMatchObject(ended);
    await world.controlPlane.tick();
    expect(await tokenOf(resting, second.id)).toMatchObject(ended);
    const lifts = `/api/v1/ai/halts/${halt.json.id}/lift`;
    for (const who of [world.a.owner.token, (await world.a.newUser(["governance_officer"])).token])
      await world.send("POST", lifts, { token: who, body: REASON });
    expect(refusal(await tried.run(first.token))).toEqual([401, "invalid_token"]);
    expect(await tokenOf(tried, first.id)).toMatchObject(ended);
    const own = await tried.issue();
    const path = `/api/v1/ai-assets/${tried.assetId}/agent-tool-tokens/${own.id}/revoke`;
    expect((await world.send("POST", path, { token: owner, body: REASON })).json).toMatchObject({ findingId: null });
  });

  it("is issued by those who answer for the asset, for their own tenant, on access in force", async () => {
    const bench = await toolBench(world);
    const { member, auditor, operator, governance_officer: officer } = world.a.actors;
    expect(refusal(await bench.ask({}, member.token))).toEqual([403, "permission_denied"]);
    expect((await bench.ask({}, auditor.token)).status).toBe(403);
    expect((await bench.ask({}, officer.token)).status).toBe(403);
    expect((await bench.ask({}, operator.token)).status).toBe(200);
    expect((await bench.ask({}, world.b.owner.token)).status).toBe(404);
    expect(refusal(await bench.ask({ honeytoken: true }, operator.token))[0]).toBe(200);
    expect(refusal(await bench.ask({ tools: ["delete_everything"] }))).toEqual([409, "transition_guard_failed"]);
    expect((await bench.ask({ assignmentIds: ["asg_00000000000000000000000001"] })).json.code).toBe(
      "invalid_reference",
    );
    for (const wrong of [
      { ttlSeconds: 29 },
      { ttlSeconds: 3_601 },
      { constraints: { pathPrefixes: ["a/../b"] } },
      { x: 1 },
    ])
      expect((await bench.ask(wrong)).status, JSON.stringify(wrong)).toBe(400);
    await bench.act(bench.assignmentId, "revoke", REASON);
    expect(refusal(await bench.ask())).toEqual([409, "transition_guard_failed"]);
  });

  it("is one of twenty at most, however many are asked for at once", async () => {
    const bench = await toolBench(world);
    const asked = await Promise.all(Array.from({ length: 21 }, () => bench.ask()));
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(asked.filter(({ json }) => json.code === "limit_exceeded")).toHaveLength(1);
    const { json } = await bench.ask();
    expect(json.code).toBe("limit_exceeded");
    world.clock.advance(301_000);
    expect((await bench.ask()).status).toBe(200);
  });

  it("of another tenant's asset is seen and ended by nobody else", async () => {
    const bench = await toolBench(world);
    const { id, token } = await bench.issue();
    const { token: stranger } = world.b.owner;
    const path = `/api/v1/ai-assets/${bench.assetId}/agent-tool-tokens`;
    expect((await world.send("GET", path, { token: stranger })).status).toBe(404);
    const revoke = `${path}/${id}/revoke`;
    expect((await world.send("POST", revoke, { token: stranger, body: REASON })).status).toBe(404);
    const own = await world.b.newAsset();
    const across = `/api/v1/ai-assets/${own}/agent-tool-tokens/${id}/revoke`;
    expect((await world.send("POST", across, { token: stranger, body: REASON })).status).toBe(404);
    expect((await bench.run(token)).status).toBe(200);
  });
});

const send = async (method: string, path: string, body?: object) => {
  const options = { token: world.a.owner.token, headers: { "if-match": "*" }, ...(body ? { body } : {}) };
  const answer = await world.send(method, `/api/v1${path}`, options);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const patch = (path: string, body: object) => send("PATCH", path, body);
const govern = (bench: ToolBench, status: string) =>
  patch(`/ai-assets/${bench.assetId}/governance-state`, { status, reason: "It must not go on like this." });
const retire = (bench: ToolBench) =>
  patch(`/ai-assets/${bench.assetId}/lifecycle`, { status: "retired", reason: "It is not needed any more." });
const flip = async (name: string, status: string) => {
  const { token } = world.provider.actors.provider_admin as { token: string };
  const configuration = name.startsWith("ai.asset.") ? { configuration: { tenantId: world.a.tenantId } } : {};
  const body = { status, reason: "to see that it stops things", ...configuration };
  const answer = await world.send("POST", `/api/v1/support/kill-switches/${name}`, { token, body });
  expect(answer.status, answer.text).toBe(200);
};

describe("the arguments of a tool", () => {
  const constrained = {
    constraints: { repositories: ["acme/agents"], branches: ["agent/*"], pathPrefixes: ["docs/"] },
  };

  it.each([
    ["a path outside", { path: "src/a.ts" }],
    ["a path that only begins alike", { path: "docs-secret/a.md" }],
    ["a path that climbs out", { path: "docs/../src/a.ts" }],
    ["an encoded slash", { path: "docs%2f..%2fsrc" }],
    ["an encoded dot", { path: "docs/%2e%2e/src" }],
    ["a backslash", { path: "docs\\..\\src" }],
    ["an empty part", { path: "docs//a.md" }],
    ["a path from the root", { path: "/docs/a.md" }],
    ["another case", { path: "DOCS/a.md" }],
    ["a character that is not seen", { path: "docs/a\u200b.md" }],
    ["a decomposed letter", { path: "docs/e\u0301.md" }],
    ["another repository", { repository: "acme/site" }],
    ["a repository in another case", { repository: "ACME/agents" }],
    ["a repository with a path", { repository: "acme/agents/../site" }],
    ["another branch", { ref: "main" }],
    ["a branch by its full name", { ref: "refs/heads/main" }],
    ["a reference that is no branch", { ref: "refs/tags/v1" }],
    ["a commit", { ref: "a".repeat(40) }],
    ["a branch that climbs out", { ref: "agent/../main" }],
  ])("with %s are refused before anybody is asked", async (_what, args) => {
    const bench = await toolBench(world);
    const { token } = await bench.issue(constrained);
    const good = { repository: "acme/agents", path: "docs/a.md", ref: "refs/heads/agent/x" };
    const answer = await bench.run(token, { tool: "read_note", arguments: { ...good, ...args } });
    expect(refusal(answer)).toEqual([403, "constraint_violation"]);
    expect(bench.account.ran).toEqual([]);
    expect(await usesOf(bench)).toMatchObject([{ outcome: "denied", denyCode: "constraint_violation" }]);
    expect((await bench.read(bench.assignmentId)).lastUsedAt).toBeNull();
    expect((await bench.run(token, { tool: "read_note", arguments: good })).status).toBe(200);
  });

  it("that the tool does not take are refused, and so are names that reach prototypes", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    const call = (args: unknown) => bench.run(token, { tool: "read_note", arguments: args });
    for (const args of [{}, { repository: 1, path: "a" }, { ...READ.arguments, more: true }, [], "x", null])
      expect((await call(args)).status, JSON.stringify(args)).toBe(400);
    const polluted = `{"token":"${token}","tool":"read_note","arguments":{"repository":"a/b","path":"c","__proto__":{"x":1}}}`;
    const bytes = await world.send("POST", "/api/v1/agent-tools/codehost/execute", {
      bytes: polluted,
      headers: { "content-type": "application/json" },
      remoteAddress: "198.51.100.9",
    });
    expect(bytes.status).toBe(400);
    const large = await call({ ...READ.arguments, path: "x".repeat(300_000) });
    expect(large.status).toBe(413);
    expect(bench.account.ran).toEqual([]);
  });

  it("stay within the parameters of the access itself, whatever the token says", async () => {
    const bench = await toolBench(world, { parameters: { pathPrefixes: ["docs"] } });
    const { token } = await bench.issue({ constraints: { pathPrefixes: ["src", "docs/open"] } });
    const at = (path: string) => bench.run(token, { tool: "read_note", arguments: { repository: "r/r", path } });
    expect(refusal(await at("src/a.ts"))).toEqual([403, "constraint_violation"]);
    expect(refusal(await at("docs/a.md"))).toEqual([403, "constraint_violation"]);
    expect((await at("docs/open/a.md")).status).toBe(200);
  });

  it("of a tool that writes are refused where only reading is permitted, and of one that was not named", async () => {
    const bench = await toolBench(world);
    const reading = await bench.issue({ constraints: { readOnly: true } });
    expect(refusal(await bench.run(reading.token, { ...WRITE, ...key() }))).toEqual([403, "constraint_violation"]);
    const named = await bench.issue({ tools: ["read_note"] });
    expect(refusal(await bench.run(named.token, { ...WRITE, ...key() }))).toEqual([403, "tool_not_allowed"]);
    expect(refusal(await bench.run(named.token, { tool: "unknown", arguments: {} }))).toEqual([
      403,
      "tool_not_allowed",
    ]);
    const small = await bench.issue({ constraints: { maxBytes: 10 } });
    expect(refusal(await bench.run(small.token))).toEqual([403, "constraint_violation"]);
  });
});

describe("pitfall 31: a tool that changes", () => {
  it.each([
    ["its description", { description: "Does something else." }],
    ["its schema", { inputSchema: { type: "object", properties: {}, additionalProperties: true } }],
    ["its effect", { effect: "write" }],
  ] as const)("in %s is not run before people have approved it", async (_what, change) => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    const { tools } = world.access;
    const before = [...tools];
    tools.splice(0, 1, { ...tools[0], ...change } as never);
    try {
      expect(refusal(await bench.run(token))).toEqual([403, "tool_definition_changed"]);
      expect(refusal(await bench.ask())).toEqual([409, "transition_guard_failed"]);
    } finally {
      tools.splice(0, tools.length, ...before);
    }
    expect((await bench.run(token)).status).toBe(200);
  });
});

describe("a repeated call", () => {
  it("is made once, and answered alike", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue({ constraints: { maxCalls: 5 } });
    const call = { ...WRITE, ...key() };
    const first = await bench.run(token, call);
    const again = await bench.run(token, call);
    expect(again.json).toEqual({ ...first.json, replayed: true });
    const other = { ...call, arguments: { ...call.arguments, note: "other" } };
    expect(refusal(await bench.run(token, other))).toEqual([422, "idempotency_key_reused"]);
    expect(bench.account.ran).toHaveLength(1);
    const fresh = await bench.issue();
    expect((await bench.run(fresh.token, call)).json.replayed).toBe(true);
  });

  it("is known to have worked where its result was too long to keep, and a read is made again", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    bench.account.output = "x".repeat(262_144);
    const [write, read] = [
      { ...WRITE, ...key() },
      { ...READ, ...key() },
    ];
    const { result, ...reported } = (await bench.run(token, write)).json;
    expect([reported.status, result]).toEqual(["ok", bench.account.output]);
    expect((await bench.run(token, write)).json).toEqual({ ...reported, replayed: true });
    expect(bench.account.ran).toHaveLength(1);
    await bench.run(token, read);
    expect((await bench.run(token, read)).json).toMatchObject({ result, replayed: false });
    expect(bench.account.ran).toHaveLength(3);
  });

  it("is made again where a right was missing, and answered alike where something else was", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    for (const [code, replayed] of [
      ["permission", false],
      ["conflict", true],
    ] as const) {
      const call = { ...WRITE, ...key() };
      bench.account.refusal = { code, message: "Not so." };
      expect((await bench.run(token, call)).json).toMatchObject({ status: "error", error: { code } });
      bench.account.refusal = undefined;
      const reported = replayed ? { status: "error", error: { code } } : { status: "ok" };
      expect((await bench.run(token, call)).json).toMatchObject({ ...reported, replayed });
    }
  });

  it("needs a key where the tool writes", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    expect(refusal(await bench.run(token, WRITE))).toEqual([400, "idempotency_key_required"]);
    expect((await bench.run(token, { ...WRITE, dryRun: true })).json.result).toMatchObject({ dryRun: true });
    expect(bench.account.ran).toEqual([]);
  });

  it("is made once although ten are sent at once", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    const call = { ...WRITE, ...key() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => bench.run(token, call)));
    expect(bench.account.ran).toHaveLength(1);
    for (const { status, json } of answers) expect([200, 409], JSON.stringify(json)).toContain(status);
    expect(answers.filter(({ json }) => json.replayed === false)).toHaveLength(1);
  });

  it("is never made again when nobody knows what came of the first", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue({ ttlSeconds: 3_600 });
    const call = { ...WRITE, ...key() };
    bench.account.script = (method, phase) => {
      if (method === "executeTool" && phase === "after")
        throw new ConnectorError("outcome_unknown", "The target took too long.", { code: "timeout" });
    };
    const lost = await bench.run(token, call);
    expect([lost.status, lost.json]).toMatchObject([200, { status: "error", error: { code: "outcome_unknown" } }]);
    bench.account.script = undefined;
    const again = await bench.run(token, call);
    expect(again.json).toMatchObject({ error: { code: "outcome_unknown" }, replayed: true });
    expect(bench.account.ran).toHaveLength(1);
    expect(await usesOf(bench)).toMatchObject([{ outcome: "timeout", denyCode: "outcome_unknown" }]);
  });

  it("may be made again when the target was not reached, and a tool's own failure is an answer", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    const call = { ...WRITE, ...key() };
    bench.account.script = (method) => {
      if (method === "executeTool") throw new ConnectorError("rate_limited", "Too many calls.");
    };
    expect((await bench.run(token, call)).json.error.code).toBe("rate_limited");
    bench.account.script = undefined;
    expect((await bench.run(token, call)).json).toMatchObject({ status: "ok", replayed: false });
    const missing = { ...READ, arguments: { ...READ.arguments, path: "missing" } };
    const failed = await bench.run(token, missing);
    expect([failed.status, failed.json.error.code]).toEqual([200, "not_found"]);
  });

  it("leaves a use whose outcome is unknown when the process dies, and is not made again", async () => {
    const bench = await toolBench(world);
    const { token } = await bench.issue({ ttlSeconds: 3_600 });
    const call = { ...WRITE, ...key() };
    const tenant = world.store.forTenant(world.a.tenantId);
    bench.account.script = (method, phase) => {
      if (method === "executeTool" && phase === "after") throw new ConnectorError("outcome_unknown", "Gone.");
    };
    await bench.run(token, call);
    bench.account.script = undefined;
    // As a process leaves it that dies during the call.
    const stored = (await tenant.scan(accessUses, { size: 1_000 })).find(
      ({ value }) => value.assetId === bench.assetId,
    );
    const use = stored?.value as never as Record<string, unknown> & { version: number };
    await tenant.replace(accessUses, { ...use, version: use.version + 1, outcome: "started" } as never, use as never);
    const held = (await tenant.scan(agentToolCalls, { size: 1_000 })).find(({ value }) => value.useId === use.id);
    const before = held?.value as never as Record<string, unknown> & { version: number };
    const running = { ...before, version: before.version + 1, state: "running", answer: null };
    await tenant.replace(agentToolCalls, running as never, before as never);
    expect(refusal(await bench.run(token, call))).toEqual([409, "idempotency_in_progress"]);
    const listed = async (outcome: string) =>
      (await get(`/ai-assets/${bench.assetId}/access-usage?outcome=${outcome}`)).totalItems;
    expect([await listed("started"), await listed("unknown")]).toEqual([1, 0]);
    world.clock.advance(120_000);
    expect(await usesOf(bench)).toMatchObject([{ outcome: "unknown" }]);
    expect([await listed("started"), await listed("unknown")]).toEqual([0, 1]);
    expect((await bench.run(token, call)).json).toMatchObject({ error: { code: "outcome_unknown" }, replayed: true });
    await tick();
    expect(await usesOf(bench)).toMatchObject([{ outcome: "unknown" }]);
    expect(bench.account.ran).toHaveLength(1);
  });
});

describe("the door for tools", () => {
  it("lets a token through sixty times a minute, refusals included", async () => {
    const bench = await toolBench(world);
    world.clock.advance(MINUTE - (world.clock.now() % MINUTE));
    const { token } = await bench.issue();
    const statuses: number[] = [];
    for (let calls = 0; calls < 61; calls += 1)
      statuses.push((await bench.run(token, calls % 2 ? READ : { tool: "unknown", arguments: {} })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 403)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    world.clock.advance(MINUTE);
    expect((await bench.run(token)).status).toBe(200);
  });

  it("is closed to tenants that are suspended", async () => {
    const fresh = await createWorld({ tokenLifetime: 86_400 });
    const bench = await toolBench(fresh);
    const { token } = await bench.issue();
    const provider = fresh.provider.actors.provider_admin as { token: string };
    const body = { status: "suspended", reason: "to see that it stops things" };
    const path = `/api/v1/support/tenants/${fresh.a.tenantId}/status`;
    const done = await fresh.send("POST", path, { token: provider.token, body });
    expect(done.status, done.text).toBe(200);
    fresh.clock.advance(5_001);
    expect(refusal(await bench.run(token))).toEqual([401, "invalid_token"]);
  });
});
