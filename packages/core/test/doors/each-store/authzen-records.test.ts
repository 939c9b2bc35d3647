import type { World } from "@reeve/testkit";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { changePolicy } from "../../helpers/policies.js";
import { createWorld } from "../../helpers/world.js";

const reason = "because a test wants it so";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, ids: ulidSource() });
  token = world.a.actors.governance_officer.token;
});

const send = async (method: string, path: string, body?: object, as = world.a.owner.token) =>
  (await world.send(method, path, { token: as, ...(body ? { body } : {}) })).json;
const post = (path: string, body: object, as = token) => send("POST", `/access/v1/${path}`, body, as);
const policy = (rules: readonly object[]) => {
  const name = world.a.unique();
  const tests = [{ name, rule: "none", input: { action: { name } }, expect: "none" }];
  const whole = rules.map((rule, index) => ({ key: `r${index}`, message: name, ...rule }));
  return world.a.newPolicy("runtime", { rules: whole, tests, status: "active" });
};

/** All results of a search, part by part. */
async function foundIn(kind: string, body: object, limit: number): Promise<Record<string, string>[]> {
  const results: Record<string, string>[] = [];
  let next: string | undefined;
  do {
    const answer = await post(`search/${kind}`, { ...body, page: { limit, ...(next ? { token: next } : {}) } });
    expect(answer.results.length).toBeLessThanOrEqual(limit);
    results.push(...answer.results);
    next = answer.page.next_token;
  } while (next);
  return results;
}

describe("names of others", () => {
  it("stand for the one record that they name, as its id does", async () => {
    await policy([{ effect: "allow", if: 'action.name == "tools/call"' }]);
    const server = await world.a.newMcpServer();
    const { assetId: serverId, name: serverName, url } = await send("GET", `/api/v1/ai/mcp-servers/${server}`);
    const toolName = world.a.unique();
    const tool = await world.a.newTool({ origin: "mcp", serverId: server, toolName });
    const { assetId: toolId } = await send("GET", `/api/v1/ai/tools/${tool}`);
    const agent = await world.a.newAgent({ mcpServerIds: [server] });
    const { name: agentName, assetId: agentId } = await send("GET", `/api/v1/ai/agents/${agent}`);
    const ask = (subject: object, resource: object) =>
      post("evaluation", { subject, action: { name: "tools/call" }, resource });
    const byIds = await ask({ type: "agent", id: agentId }, { type: "tool", id: toolId });
    expect(byIds.decision).toBe(true);
    const resources = [
      { type: "tool", id: toolName },
      { type: "tool", id: `${serverName}/${toolName}` },
      { type: "tool", id: toolName, properties: { server: serverName } },
    ];
    for (const resource of resources) {
      const { decision, context } = await ask({ type: "agent", id: agentName }, resource);
      expect([decision, context.reasons[0].code]).toEqual([true, "policy_allow"]);
    }
    const identity = await world.a.newIdentity();
    const runner = await world.a.newAgent({ identityId: identity, mcpServerIds: [server] });
    expect(runner).toMatch(/^agt_/);
    const byClient = await ask({ type: "agent", id: identity }, resources[0] as object);
    expect([byClient.decision, byClient.context.reasons[0].code]).toEqual([true, "policy_allow"]);
    for (const id of [serverName, ...(url ? [url] : [])]) {
      const { decision } = await ask({ type: "user", id: "ada" }, { type: "mcp_server", id });
      expect(decision).toBe(true);
    }
    await send("PATCH", `/api/v1/ai-assets/${serverId}/governance-state`, { status: "suspended", reason });
    const stopped = await ask({ type: "agent", id: agentName }, resources[0] as object);
    expect([stopped.decision, stopped.context.reasons[0].code]).toEqual([false, "asset_denied"]);
  });

  it("that may mean several are denied, with the candidates for those who may see them", async () => {
    const toolName = world.a.unique();
    const tools = await Promise.all([world.a.newTool({ toolName }), world.a.newTool({ toolName })]);
    const ids = await Promise.all(tools.map(async (id) => (await send("GET", `/api/v1/ai/tools/${id}`)).assetId));
    const answer = await post("evaluation", {
      ...{ subject: { type: "user", id: "ada" }, action: { name: "tools/call" } },
      resource: { type: "tool", id: toolName },
    });
    expect(answer).toMatchObject({ decision: false, context: { reasons: [{ code: "asset_unknown" }] } });
    expect([...answer.context.ambiguous.resource].sort()).toEqual(ids.sort());
  });

  it("of nothing, of another kind and of another tenant are denied alike", async () => {
    const model = await world.a.newModel();
    const { name } = await send("GET", `/api/v1/ai/models/${model}`);
    const toolName = world.b.unique();
    await world.b.newTool({ toolName });
    for (const id of ["no-such-tool", name, toolName]) {
      const { decision, context } = await post("evaluation", {
        ...{ subject: { type: "user", id: "ada" }, action: { name: "tools/call" } },
        resource: { type: "tool", id },
      });
      expect([decision, context.reasons[0].code]).toEqual([false, "asset_unknown"]);
      expect(context.ambiguous).toBeUndefined();
    }
  });
});

describe("a search", () => {
  const [users, actions, things] = [
    ["u0", "u1", "u2"],
    ["a0", "a1", "a2"],
    ["t0", "t1", "t2"],
  ] as const;

  it("gives exactly what a decision would allow, whatever the rules are", async () => {
    const some = (texts: readonly string[]) => fc.subarray([...texts], { minLength: 1 });
    const rule = fc
      .record({
        effect: fc.constantFrom("allow", "allow", "deny", "require_approval"),
        who: some(users),
        act: some(actions),
        what: some(things),
      })
      .map(({ effect, who, act, what }) => {
        const within = (path: string, texts: readonly string[]) => `${path} in ${JSON.stringify(texts)}`;
        const parts = [within("subject.id", who), within("action.name", act), within("resource.id", what)];
        return { effect, if: ['subject.type == "user"', ...parts].join(" && ") };
      });
    // Rules that name each text, so that all are candidates.
    const naming = {
      effect: "warn",
      if: `subject.id in ${JSON.stringify(users)} && action.name in ${JSON.stringify(actions)} && resource.id in ${JSON.stringify(things)}`,
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 3 }),
        async (rules, limit) => {
          const id = await policy([...rules, naming]);
          const everything = users.flatMap((user) =>
            actions.flatMap((act) => things.map((thing) => ({ user, act, thing }))),
          );
          const { evaluations } = await post("evaluations", {
            evaluations: everything.map(({ user, act, thing }) => ({
              ...{ subject: { type: "user", id: user }, action: { name: act } },
              resource: { type: "thing", id: thing },
            })),
          });
          const allowed = everything.filter((_one, index) => evaluations[index].decision);
          for (const user of users) {
            const subject = { type: "user", id: user };
            const found = await foundIn("action", { subject, resource: { type: "thing", id: "t1" } }, limit);
            const wanted = allowed
              .filter((one) => one.user === user && one.thing === "t1")
              .map(({ act }) => ({ name: act }));
            // Policies of the tests before allow actions of their own.
            expect(found.filter(({ name }) => (actions as readonly unknown[]).includes(name))).toEqual(wanted);
            const resources = await foundIn(
              "resource",
              { subject, action: { name: "a1" }, resource: { type: "thing" } },
              limit,
            );
            expect(resources.map((one) => one.id)).toEqual(
              allowed.filter((one) => one.user === user && one.act === "a1").map(({ thing }) => thing),
            );
          }
          const query = { subject: { type: "user" }, action: { name: "a0" }, resource: { type: "thing", id: "t0" } };
          const found = await foundIn("subject", query, limit);
          expect(found.map((one) => one.id)).toEqual(
            allowed.filter((one) => one.act === "a0" && one.thing === "t0").map(({ user }) => user),
          );
          await changePolicy(world.a, id, { status: "disabled", reason });
        },
      ),
      { numRuns: 8 },
    );
  });

  it("finds the tools that an agent may call now: declared, and not stopped", async () => {
    await policy([{ effect: "allow", if: 'action.name == "call-it"' }]);
    const [one, other, foreign] = await Promise.all([world.a.newTool(), world.a.newTool(), world.a.newTool()]);
    const agent = await world.a.newAgent({ toolIds: [one, other] });
    const assetOf = async (id: string) => (await send("GET", `/api/v1/ai/tools/${id}`)).assetId as string;
    const [oneId, otherId, foreignId] = await Promise.all([one, other, foreign].map(assetOf));
    const query = { subject: { type: "agent", id: agent }, action: { name: "call-it" }, resource: { type: "tool" } };
    const found = async () => (await foundIn("resource", query, 7)).map(({ id }) => id);
    const before = await found();
    expect(before).toEqual(expect.arrayContaining([oneId, otherId]));
    expect(before).not.toContain(foreignId);
    await send("PATCH", `/api/v1/ai-assets/${otherId}/governance-state`, { status: "suspended", reason });
    expect(await found()).toEqual(before.filter((id) => id !== otherId));
  });

  it("finds people by the names they sign in with, records nothing, and is for those who may search", async () => {
    await policy([{ effect: "allow", if: 'action.name == "look-up"' }]);
    const query = { subject: { type: "user" }, action: { name: "look-up" }, resource: { type: "thing", id: "x" } };
    const before = (await eventsOf(world.a)).length;
    const found = (await foundIn("subject", query, 50)).map(({ id }) => id);
    expect((await eventsOf(world.a)).length).toBe(before);
    expect(found).toContain(world.a.owner.username);
    expect(found).not.toContain(world.b.owner.username);
    const member = await world.send("POST", "/access/v1/search/subject", {
      token: world.a.actors.member.token,
      body: query,
    });
    expect([member.status, member.json.code]).toEqual([403, "permission_denied"]);
  });
});
