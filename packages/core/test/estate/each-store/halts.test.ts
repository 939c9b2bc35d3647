import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { served } from "../../helpers/adapters.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const reason = "because a test wants it so";
const PATH = "/api/v1/ai/halts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, ids: ulidSource() });
  for (const scene of [world.a, world.b]) {
    const tests = [{ name: "x", rule: "none", input: { action: { name: "x" } }, expect: "none" }];
    const rules = [{ key: "all", message: "x", effect: "allow", if: "true" }];
    await scene.newPolicy("runtime", { rules, tests, status: "active" });
  }
});

const send = async (scene: Scene, method: string, path: string, body?: object, as: Actor = scene.owner) =>
  (await scene.send(method, path, { token: as.token, ...(body ? { body } : {}) })).json;
const halt = (scene: Scene, body: object, as?: Actor) => send(scene, "POST", PATH, { reason, ...body }, as);
const lift = (scene: Scene, id: string, as?: Actor) => send(scene, "POST", `${PATH}/${id}/lift`, { reason }, as);
const effective = (scene: Scene, id: string) => send(scene, "GET", `/api/v1/ai-assets/${id}/effective`);
const ask = (scene: Scene, subject: object, resource: object = { type: "thing", id: "x" }) =>
  send(scene, "POST", "/api/v1/ai/policies/evaluate", { subject, action: { name: "call" }, resource });
const agentOf = (id: string) => ({ type: "agent", id });
const user = { type: "user", id: "ada" };

/** An agent of a team. Returns the ids of its asset and of the team. */
async function ofTeam(scene: Scene, team = scene.unique()) {
  return { team, agent: await scene.newAsset({ assetType: "agent", team: { type: "team", id: team } }) };
}

describe.each(["a", "b"] as const)("a tenant's own halt, in tenant %s", (name) => {
  const scene = () => world[name];
  const other = () => world[name === "a" ? "b" : "a"];

  it("of all agents stops them, in decisions and new sessions too, and nothing else nor another tenant's", async () => {
    const [agent, plain, foreign] = [
      await scene().newAsset({ assetType: "agent" }),
      await scene().newAsset(),
      await other().newAsset({ assetType: "agent" }),
    ];
    const { id } = await halt(scene(), { scope: "all_agents" }, scene().actors.governance_officer);
    const code = `halt:all_agents:${id}`;
    expect(await effective(scene(), agent)).toMatchObject({
      decision: "deny",
      reasons: [code],
      message: `It is halted with all agents (\`${id}\`).`,
      path: [],
    });
    for (const free of [plain]) expect(await effective(scene(), free)).toMatchObject({ decision: "allow" });
    expect(await effective(other(), foreign)).toMatchObject({ decision: "allow" });
    expect(await ask(scene(), agentOf(agent))).toMatchObject({
      status: "deny",
      context: { reasons: [{ code: "halt", message: code }] },
    });
    expect(await ask(other(), agentOf(foreign))).toMatchObject({ status: "allow" });
    expect(await ask(scene(), user)).toMatchObject({ status: "allow" });
    for (const agentId of [agent, null])
      expect(await send(scene(), "POST", "/api/v1/ai/sessions", { agentId })).toMatchObject({
        code: "transition_guard_failed",
        detail: expect.stringContaining(code),
      });
    expect(await lift(scene(), id, scene().actors.governance_officer)).toMatchObject({
      status: "lifted",
      liftedBy: scene().actors.governance_officer.userId,
      liftedReason: reason,
    });
    expect(await effective(scene(), agent)).toMatchObject({ decision: "allow" });
    expect(await send(scene(), "POST", "/api/v1/ai/sessions", { agentId: agent })).toMatchObject({ status: "active" });
  });

  it("of a team stops its agents and those that they delegate to, with the path", async () => {
    const [{ team, agent }, elsewhere] = [await ofTeam(scene()), await ofTeam(scene())];
    const child = await scene().newAsset({ assetType: "agent" });
    const relations = [{ type: "delegates_to", targetId: child }];
    const { name: parent } = await send(scene(), "PUT", `/api/v1/ai-assets/${agent}`, { relations });
    const { id } = await halt(scene(), { scope: "team", target: team });
    expect(await effective(scene(), agent)).toMatchObject({ decision: "deny", reasons: [`halt:team:${id}`] });
    expect(await effective(scene(), child)).toMatchObject({
      decision: "deny",
      reasons: [`halt:team:${id}`],
      message: `Its parent agent \`${parent}\` is halted with its team (\`${id}\`).`,
      path: [{ id: agent, name: parent, relation: "delegates_to" }],
    });
    expect(await effective(scene(), elsewhere.agent)).toMatchObject({ decision: "allow" });
    await lift(scene(), id);
    expect(await effective(scene(), child)).toMatchObject({ decision: "allow" });
  });

  it("of an MCP server stops it and its tools, named by record or by asset, with the path in the decision's event", async () => {
    const server = await scene().newMcpServer();
    const { assetId: on } = await send(scene(), "GET", `/api/v1/ai/mcp-servers/${server}`);
    const tool = await scene().newTool({ origin: "mcp", serverId: server });
    for (const target of [server, on]) {
      const { id, target: kept } = await halt(scene(), { scope: "mcp_server", target });
      expect(kept).toBe(on);
      const denied = await ask(scene(), user, { type: "tool", id: tool });
      expect(denied).toMatchObject({ status: "deny", context: { reasons: [{ code: "halt" }] } });
      const path = [{ id: on, relation: "exposes" }];
      expect(denied.context.reasons[0].path).toMatchObject(path);
      const logged = (await eventsOf(scene())).map(({ data }) => JSON.parse(data as string));
      expect(logged.find(({ entity }) => entity?.id === denied.id)).toMatchObject({
        reasons: [{ code: "halt", path }],
      });
      const serverId = await scene().newMcpServer();
      const left = await send(scene(), "PUT", `/api/v1/ai/tools/${tool}`, { serverId });
      expect(left).toMatchObject({ code: "transition_guard_failed", guards: [{ key: "notHalted" }] });
      await lift(scene(), id);
      expect(await ask(scene(), user, { type: "tool", id: tool })).toMatchObject({ status: "allow" });
    }
  });

  it("overlaps others: an asset goes on when none stops it any more", async () => {
    const { team, agent } = await ofTeam(scene());
    const [wide, narrow, again] = [
      await halt(scene(), { scope: "all_agents" }),
      await halt(scene(), { scope: "team", target: team }),
      await halt(scene(), { scope: "team", target: team }),
    ];
    for (const [{ id }, next] of [
      [wide, again],
      [again, narrow],
    ] as const) {
      await lift(scene(), id);
      const reasons = [`halt:team:${next.id}`];
      expect(await effective(scene(), agent)).toMatchObject({ decision: "deny", reasons });
    }
    await lift(scene(), narrow.id);
    expect(await effective(scene(), agent)).toMatchObject({ decision: "allow" });
  });

  it("shows in the overview, in lists, and in the activity of the tenant and of each asset", async () => {
    const { team, agent } = await ofTeam(scene());
    const shownNow = async () =>
      (await send(scene(), "GET", "/api/v1/ai/overview?size=100")).attention.items.filter(
        ({ kind }: { kind: string }) => kind === "halts_active",
      );
    expect(await shownNow()).toEqual([]);
    const { id } = await halt(scene(), { scope: "team", target: team });
    expect(await shownNow()).toMatchObject([
      { severity: "critical", count: 1, href: "/api/v1/ai/halts?status=active", title: "1 halt is active" },
    ]);
    expect((await send(scene(), "GET", `${PATH}?status=active&target=${team}`)).items).toMatchObject([{ id }]);
    expect((await send(other(), "GET", `${PATH}?target=${team}`)).items).toEqual([]);
    await lift(scene(), id);
    const shown = ["reeve.halt.status.changed.v1", "reeve.halt.created.v1"];
    for (const path of [`/api/v1/ai-assets/${agent}/activity`, "/api/v1/ai/activity"]) {
      const { items } = await send(scene(), "GET", path);
      expect(items.slice(0, 2).map(({ type, subject }: Record<string, string>) => [type, subject])).toEqual(
        shown.map((type) => [type, id]),
      );
    }
  });

  it("keeps agents in a halted team, and lets them go afterwards", async () => {
    const { team, agent } = await ofTeam(scene());
    const { id } = await halt(scene(), { scope: "team", target: team });
    const move = (to: object | null) => send(scene(), "PUT", `/api/v1/ai-assets/${agent}`, { team: to });
    for (const to of [null, { type: "team", id: scene().unique() }])
      expect(await move(to)).toMatchObject({ code: "transition_guard_failed" });
    expect(await move({ type: "team", id: team, name: "the same" })).toMatchObject({ team: { id: team } });
    await lift(scene(), id);
    expect(await move(null)).toMatchObject({ team: null });
  });
});

describe("a relation that passes a halt on", () => {
  const relate = (id: string, ...relations: object[]) => send(world.a, "PUT", `/api/v1/ai-assets/${id}`, { relations });
  const denied = async (id: string) => (await effective(world.a, id)).decision === "deny";
  const HELD = { code: "transition_guard_failed", guards: [{ key: "notHalted", ok: false }] };

  it("stays while its agents are halted, also further down, and while one of them is deleted", async () => {
    const { team, agent } = await ofTeam(world.a);
    const [child, grandchild] = [
      await world.a.newAsset({ assetType: "agent" }),
      await world.a.newAsset({ assetType: "agent" }),
    ];
    const to = (targetId: string) => ({ type: "delegates_to", targetId });
    await relate(agent, to(child));
    await relate(child, to(grandchild));
    const { id } = await halt(world.a, { scope: "team", target: team });
    expect(await relate(agent)).toMatchObject(HELD);
    expect(await relate(child)).toMatchObject(HELD);
    expect(await relate(child, to(grandchild), { type: "uses", targetId: agent })).toMatchObject({ id: child });
    expect(await relate(child, to(grandchild))).toMatchObject({ id: child });
    expect(await send(world.a, "DELETE", `/api/v1/ai-assets/${agent}?force=true&reason=${reason}`)).toMatchObject({
      code: "in_use",
    });
    expect([await denied(child), await denied(grandchild)]).toEqual([true, true]);
    await lift(world.a, id);
    expect(await relate(agent)).toMatchObject({ relations: [] });
  });

  it("stays while what is in between is denied for another reason too", async () => {
    const { team, agent } = await ofTeam(world.a);
    const [between, last] = [
      await world.a.newAsset({ assetType: "agent" }),
      await world.a.newAsset({ assetType: "agent" }),
    ];
    await relate(agent, { type: "delegates_to", targetId: between });
    await relate(between, { type: "delegates_to", targetId: last });
    const { id } = await halt(world.a, { scope: "team", target: team });
    await send(world.a, "PATCH", `/api/v1/ai-assets/${between}/governance-state`, { status: "suspended", reason });
    expect(await effective(world.a, between)).toMatchObject({ reasons: ["governance_state:suspended"] });
    expect(await relate(between)).toMatchObject(HELD);
    await lift(world.a, id);
    expect(await relate(between)).toMatchObject({ relations: [] });
  });

  it("is a kill switch of the provider for one asset too", async () => {
    const server = await world.a.newMcpServer();
    const { assetId: on } = await send(world.a, "GET", `/api/v1/ai/mcp-servers/${server}`);
    const tool = await world.a.newTool({ origin: "mcp", serverId: server });
    const [app, guest] = [await world.a.newAsset(), await world.a.newAsset()];
    await relate(app, { type: "hosted_on", targetId: on });
    await relate(guest, { type: "hosted_on", targetId: app });
    const set = (status: string) =>
      world.send("POST", `/api/v1/support/kill-switches/ai.asset.${on}`, {
        token: world.provider.owner.token,
        body: { status, reason, configuration: { tenantId: world.a.tenantId } },
      });
    expect((await set("engaged")).status).toBe(200);
    const serverId = await world.a.newMcpServer();
    const leave = () => send(world.a, "PUT", `/api/v1/ai/tools/${tool}`, { serverId });
    expect([await relate(app), await relate(guest), await leave()]).toMatchObject([HELD, HELD, HELD]);
    expect([await denied(app), await denied(guest)]).toEqual([true, true]);
    expect((await set("released")).status).toBe(200);
    expect([await relate(app), await leave()]).toMatchObject([{ id: app }, { id: tool }]);
  });

  it("stays while what others say that they are hosted on is deleted, also further down", async () => {
    const { team, agent } = await ofTeam(world.a);
    const [host, guest] = [await world.a.newAsset(), await world.a.newAsset({ assetType: "agent" })];
    await relate(host, { type: "hosted_on", targetId: agent });
    await relate(guest, { type: "hosted_on", targetId: host });
    const { id } = await halt(world.a, { scope: "team", target: team });
    const remove = (asset: string) => send(world.a, "DELETE", `/api/v1/ai-assets/${asset}?force=true&reason=${reason}`);
    for (const asset of [agent, host]) expect(await remove(asset)).toMatchObject({ code: "in_use" });
    expect([await denied(host), await denied(guest)]).toEqual([true, true]);
    await remove(guest);
    expect(await effective(world.a, guest)).toMatchObject({ code: "not_found" });
    await lift(world.a, id);
    await remove(agent);
    expect(await effective(world.a, agent)).toMatchObject({ code: "not_found" });
  });

  it("stays while its server is halted, whichever end says it", async () => {
    const server = await world.a.newMcpServer();
    const { assetId: on } = await send(world.a, "GET", `/api/v1/ai/mcp-servers/${server}`);
    const [tool, app] = [await world.a.newAsset({ assetType: "tool" }), await world.a.newAsset()];
    await relate(on, { type: "exposes", targetId: tool });
    await relate(app, { type: "hosted_on", targetId: on });
    const { id } = await halt(world.a, { scope: "mcp_server", target: server });
    expect([await denied(tool), await denied(app)]).toEqual([true, true]);
    expect([await relate(on), await relate(app)]).toMatchObject([HELD, HELD]);
    await lift(world.a, id);
    expect([await relate(on), await relate(app)]).toMatchObject([{ id: on }, { id: app }]);
  });
});

describe("a halt that a finding caused", () => {
  const caused = async (severity: string, owner?: Actor) => {
    const scene = world.a;
    const on = await scene.newAsset(owner ? { owner: { type: "user", id: owner.userId } } : {});
    const findingId = await scene.newFinding(on, { severity: severity as never });
    const { team } = await ofTeam(scene);
    return halt(scene, { scope: "team", target: team, findingId });
  };
  const waiting = async (id: string) =>
    (await send(world.a, "GET", "/api/v1/reviews?kind=halt_lift")).items.filter(
      ({ subject }: { subject: { id: string } }) => subject.id === id,
    );

  it("of critical severity is lifted by two people, of whom neither counts twice", async () => {
    const { governance_officer: officer, admin } = world.a.actors;
    const { id, findingSeverity } = await caused("critical");
    expect(findingSeverity).toBe("critical");
    const asked = await lift(world.a, id, officer);
    expect(asked).toMatchObject({ status: "active", liftRequest: { by: officer.userId, reason } });
    expect(await waiting(id)).toMatchObject([{ kind: "halt_lift", permission: "ai-halt:lift" }]);
    expect(await lift(world.a, id, officer)).toMatchObject({ code: "self_approval_forbidden" });
    expect((await send(world.a, "GET", `${PATH}/${id}`)).status).toBe("active");
    expect(await lift(world.a, id, admin)).toMatchObject({ status: "lifted", liftedBy: admin.userId });
    expect(await waiting(id)).toEqual([]);
  });

  it("is not lifted by the owner of the finding's asset as the second one", async () => {
    const { governance_officer: officer, admin } = world.a.actors;
    const { id } = await caused("critical", officer);
    await lift(world.a, id, admin);
    expect(await lift(world.a, id, officer)).toMatchObject({ code: "self_approval_forbidden" });
    expect(await lift(world.a, id)).toMatchObject({ status: "lifted" });
  });

  it("of lesser severity is lifted by one", async () => {
    const { id } = await caused("high");
    expect(await lift(world.a, id)).toMatchObject({ status: "lifted", liftRequest: null });
  });
});

describe("a halt is refused", () => {
  it.each([
    ["of all agents with a target", { scope: "all_agents", target: "x" }, "invalid_request"],
    ["of no team", { scope: "team" }, "invalid_request"],
    ["of an unknown team", { scope: "team", target: "nobody" }, "invalid_reference"],
    ["of an unknown server", { scope: "mcp_server", target: "mcp_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" }, "invalid_reference"],
    ["of a server by a name", { scope: "mcp_server", target: "a server" }, "invalid_reference"],
    [
      "for an unknown finding",
      { scope: "all_agents", findingId: "fnd_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" },
      "invalid_reference",
    ],
    ["of another scope", { scope: "everything" }, "invalid_request"],
    ["with a misspelt field", { scope: "all_agents", finding: "x" }, "invalid_request"],
  ])("%s", async (_what, body, code) => {
    expect(await halt(world.a, body)).toMatchObject({ status: 400, code });
  });

  it("of another tenant's server, team and finding like one that never was", async () => {
    const { team } = await ofTeam(world.b);
    const server = await world.b.newMcpServer();
    const findingId = await world.b.newFinding(await world.b.newAsset());
    for (const body of [
      { scope: "team", target: team },
      { scope: "mcp_server", target: server },
      { scope: "mcp_server", target: await world.b.newAsset() },
      { scope: "all_agents", findingId },
    ])
      expect(await halt(world.a, body)).toMatchObject({ code: "invalid_reference" });
  });

  it("to everybody without the permission, which no machine can be granted", async () => {
    for (const role of ["approver", "operator", "auditor", "member"] as const)
      expect(await halt(world.a, { scope: "all_agents" }, world.a.actors[role])).toMatchObject({
        code: "permission_denied",
      });
    const { governance_officer: officer } = world.a.actors;
    const { team } = await ofTeam(world.a);
    const { id } = await halt(world.a, { scope: "team", target: team }, officer);
    const identity = await world.a.newIdentity({ scopes: ["ai-halt:read"] });
    for (const scope of ["ai-halt:start", "ai-halt:lift"])
      expect(await send(world.a, "PUT", `/api/v1/ai/identities/${identity}`, { scopes: [scope] })).toMatchObject({
        status: 400,
        errors: [{ pointer: expect.stringContaining("scopes") }],
      });
    expect(await lift(world.a, id, world.a.actors.approver)).toMatchObject({ code: "permission_denied" });
    await lift(world.a, id, officer);
  });

  it("once a hundred are active", async () => {
    const { team } = await ofTeam(world.b);
    const { totalItems } = await send(world.b, "GET", `${PATH}?status=active`);
    const made: string[] = [];
    for (let left = 100 - totalItems; left > 0; left -= 1)
      made.push((await halt(world.b, { scope: "team", target: team })).id);
    expect(await halt(world.b, { scope: "team", target: team })).toMatchObject({ code: "limit_exceeded" });
    for (const id of made) await lift(world.b, id);
    expect(await lift(world.b, made[0] as string)).toMatchObject({ status: "lifted" });
  });

  it("when it is lifted twice: it stays as it was, and leaves no event", async () => {
    const { team } = await ofTeam(world.a);
    const { id } = await halt(world.a, { scope: "team", target: team });
    const once = await lift(world.a, id);
    const events = (await eventsOf(world.a)).length;
    expect(await lift(world.a, id, world.a.actors.admin)).toEqual(once);
    expect(await eventsOf(world.a)).toHaveLength(events);
  });
});

describe("a halt that races", () => {
  it("with decisions allows none after its commit", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { team, agent } = await ofTeam(world.a);
      const asked = Array.from({ length: 12 }, () => ask(world.a, agentOf(agent)));
      const [{ id }] = await Promise.all([halt(world.a, { scope: "team", target: team }), ...asked]);
      const events = (await eventsOf(world.a)).map(({ data }) => JSON.parse(data as string));
      const halted = events.findIndex(({ entity }) => entity?.id === id);
      expect(halted).toBeGreaterThan(0);
      const after = events.slice(halted).filter(({ subject }) => subject?.id === agent);
      expect(after.filter(({ decision }) => decision)).toEqual([]);
      await lift(world.a, id);
    }
  });

  it("with the start of sessions leaves none that was started after its commit", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { team, agent } = await ofTeam(world.a);
      const started = Array.from({ length: 8 }, () => send(world.a, "POST", "/api/v1/ai/sessions", { agentId: agent }));
      const [{ id }] = await Promise.all([halt(world.a, { scope: "team", target: team }), ...started]);
      const events = (await eventsOf(world.a)).map(({ data }) => JSON.parse(data as string));
      const halted = events.findIndex(({ entity }) => entity?.id === id);
      const after = events.slice(halted).filter(({ after: session }) => session?.agentId === agent);
      expect(after).toEqual([]);
      await lift(world.a, id);
    }
  });

  it("with an agent that leaves the team: it is halted, or was gone before", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { team, agent } = await ofTeam(world.a);
      await ofTeam(world.a, team);
      const leave = send(world.a, "PUT", `/api/v1/ai-assets/${agent}`, { team: null });
      const [{ id }, left] = await Promise.all([halt(world.a, { scope: "team", target: team }), leave]);
      const events = (await eventsOf(world.a)).map(({ data }) => JSON.parse(data as string));
      const halted = events.findIndex(({ entity }) => entity?.id === id);
      const fields = ({ changes = [] }) => changes.map(({ field }) => field as string);
      const gone = events.findIndex((data) => data.entity?.id === agent && fields(data).includes("team"));
      if (left.code === undefined) expect([gone > 0, gone < halted]).toEqual([true, true]);
      else expect([left.code, gone]).toEqual(["transition_guard_failed", -1]);
      await lift(world.a, id);
    }
  });

  it("with two people who lift it takes one request and one decision", async () => {
    const { governance_officer: officer, admin } = world.a.actors;
    const { team } = await ofTeam(world.a);
    const findingId = await world.a.newFinding(await world.a.newAsset(), { severity: "critical" });
    const { id } = await halt(world.a, { scope: "team", target: team, findingId });
    const answers = await Promise.all([officer, admin].map((who) => lift(world.a, id, who)));
    const { status, liftRequest } = await send(world.a, "GET", `${PATH}/${id}`);
    const by = answers.filter(({ liftRequest: asked }) => asked).length;
    expect([status === "lifted" || liftRequest !== null, by]).toEqual([true, 1]);
    if (status === "active") await lift(world.a, id);
  });
});

describe("a halt over HTTP", () => {
  it("is started and lifted through the adapter of the store", async () => {
    const over = await served(world);
    const { token } = world.a.owner;
    const { team, agent } = await ofTeam(world.a);
    const type = "application/json";
    const post = (path: string, body: object) =>
      over(path, token, { method: "POST", body: JSON.stringify(body), type });
    const { status, json } = await post(PATH, { scope: "team", target: team, reason });
    expect([status, json.status]).toEqual([201, "active"]);
    expect((await over(`/api/v1/ai-assets/${agent}/effective`, token)).json.reasons).toEqual([`halt:team:${json.id}`]);
    expect((await post(`${PATH}/${json.id}/lift`, { reason })).json.status).toBe("lifted");
    expect((await over(`${PATH}/${json.id}`, world.b.owner.token)).status).toBe(404);
  });
});
