import { ConnectorError } from "@reeve/core/connectors";
import type { World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accessAssignments } from "#families/access-grants/assignments/schema.js";
import { factsOf } from "#families/access-reviews/certifications/certification-facts.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { type DriftBench, driftBench } from "../../helpers/drift.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const reason = "because a test wants it so";

let world: World;
let bench: DriftBench;
let assignmentId: string;
let driftId: string;
const get = async (path: string) => {
  const { status, text, json } = await world.send("GET", `/api/v1${path}`, { token: world.a.actors.owner.token });
  expect(status, text).toBe(200);
  return json;
};
const until = (ms: number) => new Date(world.clock.now() + ms).toISOString();

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
beforeEach(async () => {
  bench = await driftBench(world);
  assignmentId = await bench.granted();
  bench.cut();
  await bench.scan();
  const [drift] = await bench.drift();
  driftId = drift?.id as string;
  const accepted = { until: until(HOUR), reason };
  expect((await bench.actOn(driftId, "accept", accepted, await world.a.newUser(["owner"]))).status).toBe(200);
  // No job runs after this, so what is stored still says that it is let be.
  world.clock.advance(HOUR);
  world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
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
    for (const query of ["status=open", "status=open,repairing&kind=missing_in_target"])
      expect(await listed(`${query}&${target}`), query).toEqual([[driftId, "open"]]);
    expect(await listed(`status=accepted&${target}`)).toEqual([]);
    expect(await listed("status=accepted")).toEqual([]);
  });

  it("counts as open, of its target and on the dashboard", async () => {
    expect(await get(`/access-targets/${bench.connectorInstanceId}`)).toMatchObject({ openDrift: 1 });
    const { drift } = await get("/access-lifecycle/dashboard");
    expect(drift).toMatchObject([{ key: "missing_in_target", relation: "exact" }]);
    expect(drift[0].value).toBeGreaterThan(0);
    expect((await get(drift[0].url.replace("/api/v1", ""))).totalItems).toBe(drift[0].value);
  });

  it("is known to whoever reviews the access", async () => {
    const ctx = systemContext(environmentOf(world), world.a.tenantId, "test");
    const one = await ctx.getOrThrow(accessAssignments, assignmentId);
    expect((await factsOf(ctx, [one]))(one)).toMatchObject({ openDrift: 1 });
  });

  it("is what a repair of the assignment puts right", async () => {
    const { json } = await bench.act(assignmentId, "repair", { dryRun: true });
    expect(json).toMatchObject({ driftId, action: "choose", repairs: ["grant", "end"] });
  });

  it("is opened before it is put right, also while the target cannot be asked", async () => {
    bench.account.script = (method) => {
      if (method === "verify") throw new ConnectorError("transient", "Down.");
    };
    const ended = await bench.act(assignmentId, "repair", { driftId, action: "end", reason });
    expect(ended.status, ended.text).toBe(200);
    const reported = (await eventsOf(world.a)).filter(({ attributes }) =>
      attributes.includes(`"subject":"${driftId}"`),
    );
    const states = reported.flatMap(({ attributes }) => /"tostate":"(\w+)"/.exec(attributes)?.[1] ?? []);
    expect(states).toEqual(["open", "accepted", "open", "repairing", "resolved"]);
    expect(await get(`/access-targets/${bench.connectorInstanceId}`)).toMatchObject({ openDrift: 0 });
  });
});
