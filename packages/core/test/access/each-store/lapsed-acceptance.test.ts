import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type DriftBench, driftBench } from "../../helpers/drift.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const reason = "because a test wants it so";

let world: World;
let bench: DriftBench;
let driftId: string;
const get = async (path: string) => {
  const { status, text, json } = await world.send("GET", `/api/v1${path}`, { token: world.a.actors.owner.token });
  expect(status, text).toBe(200);
  return json;
};
const until = (ms: number) => new Date(world.clock.now() + ms).toISOString();

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  bench = await driftBench(world);
  await bench.granted();
  bench.cut();
  await bench.scan();
  const [drift] = await bench.drift();
  driftId = drift?.id as string;
  const accepted = { until: until(HOUR), reason };
  expect((await bench.actOn(driftId, "accept", accepted, await world.a.newUser(["owner"]))).status).toBe(200);
  // No job runs after this, so what is stored still says that it is let be.
  world.clock.advance(HOUR);
});

describe("a difference whose time to be let be is over", () => {
  it("is listed as open at once, and as accepted no more", async () => {
    const listed = async (query: string) => {
      const { items, totalItems, totalRelation } = await get(`/access-drift?${query}`);
      expect([totalItems, totalRelation], query).toEqual([items.length, "exact"]);
      return (items as { id: string; status: string }[]).map(({ id, status }) => [id, status]);
    };
    expect((await get(`/access-drift/${driftId}`)).status).toBe("open");
    const target = `connectorInstanceId=${bench.connectorInstanceId}`;
    for (const query of ["status=open", "status=open,repairing&kind=missing_in_target", `status=open&${target}`])
      expect(await listed(query), query).toEqual([[driftId, "open"]]);
    expect(await listed("status=accepted")).toEqual([]);
  });

  it("counts as open, of its target and on the dashboard", async () => {
    expect(await get(`/access-targets/${bench.connectorInstanceId}`)).toMatchObject({ openDrift: 1 });
    const { drift } = await get("/access-lifecycle/dashboard");
    expect(drift).toMatchObject([{ key: "missing_in_target", value: 1, relation: "exact" }]);
    expect((await get(drift[0].url.replace("/api/v1", ""))).totalItems).toBe(1);
  });
});
