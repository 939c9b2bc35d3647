import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessAssignments } from "#families/access-grants/assignments/schema.js";
import { exemptions } from "#families/governance/index.js";
import { sessions } from "#families/sessions/index.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/index.js";
import { accessBench } from "../../helpers/access.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
/** More than one read finds. */
const MANY = 1_100;

let world: World;
const inAnHour = () => new Date(world.clock.now() + HOUR).toISOString();
const get = async (path: string) => {
  const { status, text, json } = await world.send("GET", `/api/v1${path}`, { token: world.a.owner.token });
  expect(status, text).toBe(200);
  return json;
};
/** Stores many records like one. */
async function multiply<R extends StoredRecord>(collection: Collection<R>, like: R): Promise<void> {
  const tenant = world.store.forTenant(world.a.tenantId);
  const copies = Array.from({ length: MANY - 1 }, (_, at) => ({
    ...like,
    version: 1,
    id: `${collection.prefix}_1${String(at).padStart(25, "0")}`,
  }));
  for (let from = 0; from < copies.length; from += 500)
    await tenant.insertMany(collection, copies.slice(from, from + 500));
}
const stored = async <R extends StoredRecord>(collection: Collection<R>, id: string) =>
  (await world.store.forTenant(world.a.tenantId).get(collection, id))?.value as R;

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
});

describe("numbers of more records than one read finds, whose time is over", () => {
  it("are exact on the dashboard of access", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "PT1H" });
    await world.controlPlane.tick();
    expect((await bench.read(id)).status).toBe("active");
    const named = async () => {
      const { assignments } = await get("/access-lifecycle/dashboard");
      const figures = assignments.byStatus as { key: string; value: number; relation: string }[];
      expect(new Set(figures.map(({ relation }) => relation))).toEqual(new Set(["exact"]));
      return Object.fromEntries(figures.map(({ key, value }) => [key, value]));
    };
    const { active = 0, revoking = 0, ...others } = await named();
    await multiply(accessAssignments, await stored(accessAssignments, id));
    world.clock.advance(HOUR);
    expect(await named()).toEqual({
      ...others,
      ...(active > 1 ? { active: active - 1 } : {}),
      revoking: revoking + MANY,
    });
  });

  it("are exact in the overview", async () => {
    const { token } = world.a.owner;
    const { json } = await world.send("POST", "/api/v1/ai/sessions", { token, body: { expiresAt: inAnHour() } });
    const before = (await get("/ai/overview")).sessions;
    await multiply(sessions, await stored(sessions, json.id));
    const { active, ...others } = before.byStatus;
    expect((await get("/ai/overview")).sessions.byStatus).toEqual({ ...others, active: active + MANY - 1 });
    world.clock.advance(HOUR);
    const { byStatus, total } = (await get("/ai/overview")).sessions;
    expect(total).toBe(before.total + MANY - 1);
    expect(byStatus).toEqual({
      ...others,
      ...(active > 1 ? { active: active - 1 } : {}),
      expired: (others.expired ?? 0) + MANY,
    });
  });

  it("are exact on the dashboard of governance", async () => {
    const { items } = await get("/ai-governance/exemptions?size=100");
    const like = await stored(exemptions, items[0].id);
    const { byStatus, ending } = (await get("/ai-governance/dashboard/summary")).exemptions;
    await multiply(exemptions, { ...like, status: "approved", expiresAt: inAnHour(), findingId: null } as typeof like);
    expect((await get("/ai-governance/dashboard/summary")).exemptions.ending).toBe(ending + MANY - 1);
    world.clock.advance(HOUR);
    const now = (await get("/ai-governance/dashboard/summary")).exemptions;
    expect(now).toMatchObject({ ending, byStatus: { expired: (byStatus.expired ?? 0) + MANY - 1 } });
    expect(now.byStatus.approved ?? 0).toBe(byStatus.approved ?? 0);
  });
});
