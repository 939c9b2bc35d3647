import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { MOST_NODES } from "#families/estate/assets/asset-graph.js";
import { countedReads } from "../../helpers/counted-reads.js";
import { fillEstate } from "../../helpers/large-estate.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const HOUR = 3_600_000;
const reason = "because a test wants it so";

let world: World;
let reads: ReturnType<typeof countedReads>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 }, (store) => {
    reads = countedReads(store);
    return reads.store;
  });
});

const send = async (method: string, path: string, body?: object, token = world.a.owner.token) =>
  (await world.send(method, path, { token, ...(body ? { body } : {}) })).json;
const asset = (body: object = {}) => send("POST", ASSETS, body);
const graph = (query = "", token?: string) => send("GET", `${ASSETS}/graph${query}`, undefined, token);
interface Node {
  readonly id: string;
}
const idsOf = ({ items }: { readonly items: readonly Node[] }) => items.map(({ id }) => id);

/** A team of an agent that runs as an identity, uses a model of another team, and a server with a tool. */
async function aTeam(id: string) {
  const team = { id, name: `Team ${id}` };
  const model = await asset({ assetType: "dataset", team: { id: `${id}-models`, name: "Models" } });
  const relations = [{ type: "uses", targetId: model.id }];
  const agent = await asset({ team, relations });
  const identity = await asset({ team, relations: [{ type: "delegates_to", targetId: agent.id }] });
  return { model, agent, identity };
}

describe("the estate as a graph", () => {
  it("has the assets that fit, the relations between them, and how many lead elsewhere", async () => {
    const { model, agent, identity } = await aTeam("graph");
    const one = await graph("?team=graph");
    expect(idsOf(one)).toEqual([identity.id, agent.id]);
    expect(one.edges).toEqual([{ type: "delegates_to", sourceId: identity.id, targetId: agent.id }]);
    expect(one.items).toMatchObject([
      { name: identity.name, governanceState: "unreviewed", stop: null, relationsElsewhere: 0 },
      { name: agent.name, team: { id: "graph", name: "Team graph" }, openFindings: null, relationsElsewhere: 1 },
    ]);
    expect(one).toMatchObject({ totalAssets: 2, totalRelation: "exact", complete: true, relationsComplete: true });
    const both = await graph("?team=graph,graph-models");
    expect(both.edges).toHaveLength(2);
    expect(both.edges).toContainEqual({ type: "uses", sourceId: agent.id, targetId: model.id });
    expect((await graph(`?search=${encodeURIComponent(agent.name)}`)).items.map(({ name }: never) => name)).toContain(
      agent.name,
    );
  });

  it("has what an asset and its record both say as one relation", async () => {
    const { assetId: sourceId } = await send("GET", `/api/v1/ai/mcp-servers/${await world.a.newMcpServer()}`);
    const tool = await send("GET", `/api/v1/ai/tools/${await world.a.newTool({ origin: "mcp", serverId: sourceId })}`);
    await send("PUT", `${ASSETS}/${sourceId}`, { relations: [{ type: "exposes", targetId: tool.assetId }] });
    const said = await send("GET", `${ASSETS}/${tool.assetId}/relations?direction=incoming`);
    expect(said.items).toHaveLength(2);
    const between = (await graph()).edges.filter(({ targetId }: never) => targetId === tool.assetId);
    expect(between).toEqual([{ type: "exposes", sourceId, targetId: tool.assetId }]);
  });

  it("says which assets a halt stops", async () => {
    const { assetId } = await send("GET", `/api/v1/ai/agents/${await world.a.newAgent()}`);
    await send("PUT", `${ASSETS}/${assetId}`, { team: { id: "halted", name: "Halted" } });
    const { id } = await send("POST", "/api/v1/ai/halts", { scope: "team", target: "halted", reason });
    expect((await graph("?team=halted")).items).toMatchObject([{ id: assetId, stop: `halt:team:${id}` }]);
  });

  it("filters by states as time has made them", async () => {
    const { id } = await asset({ team: { id: "lapsing", name: "Lapsing" } });
    const move = (status: string, token: string, configuration?: object) =>
      send("PATCH", `${ASSETS}/${id}/governance-state`, { status, reason, configuration }, token);
    await move("under_review", world.a.actors.operator.token);
    const approvedUntil = new Date(world.clock.now() + HOUR).toISOString();
    await move("approved", world.a.actors.approver.token, { approvedUntil });
    expect(idsOf(await graph("?team=lapsing&governanceState=approved"))).toEqual([id]);
    world.clock.advance(HOUR + 1);
    expect(idsOf(await graph("?team=lapsing&governanceState=approved"))).toEqual([]);
    expect((await graph("?team=lapsing&governanceState=expired")).items).toMatchObject([
      { id, governanceState: "expired" },
    ]);
  });

  it("is that of the caller's tenant alone", async () => {
    const { agent } = await aTeam("mine");
    const foreign = await graph("?team=mine", world.b.owner.token);
    expect(foreign).toMatchObject({ items: [], edges: [], totalAssets: 0, complete: true });
    expect(idsOf(await graph("?team=mine"))).toContain(agent.id);
  });

  it("refuses what is no filter of the list", async () => {
    expect(await graph("?size=5")).toMatchObject({ status: 400 });
    expect(await graph("?assetType=robot")).toMatchObject({ status: 400 });
  });

  it("is bounded, says what it leaves out, and takes the same few reads for any size", async () => {
    const readsOf = async (query: string) => {
      const before = reads.asked.length;
      await graph(query);
      return reads.asked.length - before;
    };
    const few = await readsOf("?team=graph");
    const { id } = await asset({ team: { id: "large", name: "Large" } });
    await fillEstate(world, world.a.tenantId, id, 1_000);
    const large = await graph("?team=large");
    expect(large.items).toHaveLength(MOST_NODES);
    expect(large).toMatchObject({ complete: false, relationsComplete: true });
    expect(large.totalAssets).toBeGreaterThanOrEqual(1_000);
    expect(await readsOf("?team=large")).toBeLessThanOrEqual(few);
  });
});
