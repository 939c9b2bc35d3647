import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { type HttpAnswer, served } from "../../helpers/adapters.js";
import { createWorld } from "../../helpers/world.js";

const ACTIVITY = "/api/v1/ai/activity";
const ASSETS = "/api/v1/ai-assets";
const ERASURES = "/api/v1/ai-governance/audit/erasures";
const seesAssets = { description: "Sees assets only", permissions: ["ai-activity:read", "ai-asset:read"] };

interface Reported {
  readonly id: string;
  readonly subject: string;
  readonly subjecttype: string;
  readonly related?: string;
  readonly data: object | null;
}

/** The paths of typed records, each the other side of an asset. */
const kinds = collections.flatMap(({ otherSide, prefix, resource }) =>
  otherSide && resource && prefix !== "ast" ? [[resource.type, resource.path] as const] : [],
);

describe("the activity of an asset and of its record", () => {
  let world: World;
  let get: (path: string, token?: string) => Promise<HttpAnswer>;
  beforeAll(async () => {
    world = await createWorld({ rateLimits: "off", roles: { sees_assets: seesAssets } });
    get = await served(world);
  });

  const list = async (id: string, query = "size=100", token = world.a.owner.token): Promise<Reported[]> => {
    const { status, json } = await get(`${ACTIVITY}/${id}?${query}`, token);
    expect(status, JSON.stringify(json)).toBe(200);
    return json.items;
  };
  const sent = async (...[method, path, body]: [method: "POST" | "PUT" | "DELETE", path: string, body?: object]) => {
    const answer = await world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };

  async function thing(path: string): Promise<{ readonly id: string; readonly assetId: string }> {
    const { id, assetId } = await sent("POST", path, { name: `Two sides ${path}` });
    await sent("PUT", `${ASSETS}/${assetId}`, { purpose: "said of the asset alone" });
    await sent("PUT", `${path}/${id}`, { description: "said through the record" });
    return { id, assetId };
  }

  it("asks of every kind of record", () => {
    expect(kinds.map(([kind]) => kind).sort()).toEqual([
      "ai_agent",
      "ai_identity",
      "ai_model",
      "ai_tool",
      "mcp_server",
    ]);
  });

  it.each(kinds)("is one, by either id, of %s, before and after it is deleted", async (kind, path) => {
    const { id, assetId } = await thing(path);
    const before = await list(assetId);
    expect(await list(id)).toEqual(before);
    const subjects = new Set(before.map(({ subject }) => subject));
    expect([subjects.has(id), subjects.has(assetId)]).toEqual([true, true]);
    expect(before.some(({ subject, related = "" }) => subject === assetId && !related.includes(id))).toBe(true);
    const ofAsset = (await get(`${ASSETS}/${assetId}/activity?size=100`, world.a.owner.token)).json.items;
    expect(ofAsset).toEqual(before);
    await sent("DELETE", `${path}/${id}`);
    const after = await list(id);
    expect(after.slice(-before.length)).toEqual(before);
    expect(after.map(({ subjecttype }) => subjecttype)).toEqual(expect.arrayContaining([kind, "ai_asset"]));
    expect(await list(assetId)).toEqual(after);
    for (const one of [id, assetId]) expect((await get(`${ACTIVITY}/${one}`, world.b.owner.token)).status).toBe(404);
  });

  it.each(["", "&outcome=success", "&search=sides"])("goes on with a cursor of the other id%s", async (filter) => {
    const { id, assetId } = await thing("/api/v1/ai/agents");
    const whole = await list(assetId, `size=100${filter}`);
    expect(whole.length).toBeGreaterThan(2);
    const found: Reported[] = [];
    for (let [at, cursor] = [0, ""]; ; at += 1) {
      const { json } = await get(
        `${ACTIVITY}/${at % 2 === 0 ? id : assetId}?size=1${filter}${cursor}`,
        world.a.owner.token,
      );
      found.push(...json.items);
      if (json.nextCursor === null) break;
      cursor = `&cursor=${json.nextCursor}`;
    }
    expect(found).toEqual(whole);
  });

  it("shows data of the side that the caller may read, and of no other", async () => {
    const { id, assetId } = await thing("/api/v1/ai/agents");
    const { token } = await world.a.newUser(["sees_assets"]);
    const seen = await list(id, "size=100", token);
    expect(await list(assetId, "size=100", token)).toEqual(seen);
    const shown = (kind: string) =>
      new Set(seen.filter((one) => one.subjecttype === kind).map(({ data }) => data !== null));
    expect([shown("ai_asset"), shown("ai_agent")]).toEqual([new Set([true]), new Set([false])]);
  });

  it("reads one event of either side, and erases the events of both", async () => {
    const { id, assetId } = await thing("/api/v1/ai/agents");
    const before = await list(assetId);
    const { id: erasureId } = await sent("POST", ERASURES, {
      subjectId: id,
      reason: "asked for by the person concerned",
    });
    const { token } = world.a.actors.admin;
    const approval = { token, body: { decision: "approve" } };
    const { json } = await world.send("POST", `${ERASURES}/${erasureId}/decision`, approval);
    expect(json.erased).toBe(before.length);
    const reported = await list(assetId);
    expect(reported).toHaveLength(before.length + 1);
    const alone = reported.filter(({ subject, related }) => subject !== assetId && !related?.includes(assetId));
    expect(alone.map(({ related }) => related)).toEqual([id]);
    for (const event of reported)
      expect((await get(`${ASSETS}/${assetId}/activity/${event.id}`, world.a.owner.token)).json.id).toBe(event.id);
  });
});
