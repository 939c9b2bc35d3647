import { createPlane, newInstance, newTarget, repository, repositoryProfile, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ask = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });
const ok = async (method: string, path: string, body?: object) => {
  const answer = await ask(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const flip = async (status: string) => {
  const [{ token }, body] = [world.provider.owner, { status, reason: "The network is being looked at." }];
  const done = await world.send("POST", "/api/v1/support/kill-switches/connectors.outbound", { token, body });
  expect(done.status, done.text).toBe(200);
};
const tick = () => world.controlPlane.tick();
const later = async (ms: number) => {
  world.clock.advance(ms);
  await tick();
};

/** A connection with a schedule, and what was read of it. */
async function scheduled(schedule: object, more: Readonly<Record<string, unknown>> = {}) {
  const name = world.a.unique();
  const account = world.access.account(name);
  account.resources = [repository("r1")];
  account.profiles = [repositoryProfile("read")];
  const id = await newTarget(world.a, { name, configuration: { account: name }, schedule, ...more });
  const target = `/api/v1/access-targets/${id}`;
  const count = async (of: "syncs" | "drift-scans") => (await ok("GET", `${target}/${of}`)).items.length as number;
  const patch = (body: object) => ok("PATCH", `/api/v1/connector-instances/${id}`, body);
  const read = async () => [await count("syncs"), await count("drift-scans")];
  return { id, account, target, read, patch, show: () => ok("GET", target) };
}

describe("a connection with a schedule", () => {
  it("is read as soon as it is active: what it offers first, then who has it", async () => {
    const { read, show } = await scheduled({ sync: "PT6H", driftScan: "PT6H" });
    await tick();
    expect(await read()).toEqual([1, 0]);
    await later(MINUTE);
    expect(await read()).toEqual([1, 1]);
    expect(await show()).toMatchObject({
      ...{ syncStatus: "complete", resourceCounts: { repository: 1 }, openDrift: 0, requestable: true },
      staleAfterSeconds: 43_200,
      nextSyncAt: new Date(world.clock.now() - MINUTE + 6 * HOUR).toISOString(),
    });
  });

  it("is read again after each interval, and no sooner", async () => {
    const { read } = await scheduled({ sync: "PT1H", driftScan: "PT2H" });
    await tick();
    await later(MINUTE);
    for (let minutes = 0; minutes < 230; minutes += 10) await later(10 * MINUTE);
    expect(await read()).toEqual([4, 2]);
  });

  it("has the usual schedule when nobody names one, and the rest of it when some is named", async () => {
    const { id } = await scheduled({ driftScan: null });
    const { schedule } = await ok("GET", `/api/v1/connector-instances/${id}`);
    expect(schedule).toEqual({ sync: "PT6H", driftScan: null, usage: "PT15M" });
  });

  it("is read only when somebody asks after its schedule was taken away, and at once when it gets another", async () => {
    const { read, patch, show } = await scheduled({ sync: "PT1H", driftScan: null });
    await tick();
    expect(await patch({ schedule: { sync: null } })).toMatchObject({ schedule: { sync: null, usage: "PT15M" } });
    await later(3 * HOUR);
    expect(await read()).toEqual([1, 0]);
    expect(await show()).toMatchObject({ nextSyncAt: null, nextDriftScanAt: null, staleAfterSeconds: null });
    await patch({ schedule: { sync: "PT30M" } });
    await tick();
    expect(await read()).toEqual([2, 0]);
  });

  it("is not read while it is out of use, and at once when it is back", async () => {
    const { read, patch } = await scheduled({ sync: "PT1H", driftScan: null });
    await tick();
    await patch({ status: "disabled", reason: "It moves to another data centre." });
    await later(5 * HOUR);
    expect(await read()).toEqual([1, 0]);
    await patch({ status: "active" });
    await tick();
    expect(await read()).toEqual([2, 0]);
  });

  it("waits for calls that are switched off, and begins nothing meanwhile", async () => {
    const { read } = await scheduled({ sync: "PT1H", driftScan: null });
    await flip("engaged");
    await later(3 * HOUR);
    expect(await read()).toEqual([0, 0]);
    await flip("released");
    await later(MINUTE);
    expect(await read()).toEqual([1, 0]);
  });

  it("is read once by two processes", async () => {
    const { read } = await scheduled({ sync: "PT1H", driftScan: null });
    const other = createPlane(
      { store: world.store, clock: world.clock, connectors: [world.access.connector] },
      1_000_000,
    );
    await Promise.all([tick(), other.controlPlane.tick()]);
    expect(await read()).toEqual([1, 0]);
  });

  it("is read no more once it is deleted", async () => {
    const { id } = await scheduled({ sync: "PT1H", driftScan: null });
    await tick();
    expect((await ask("DELETE", `/api/v1/connector-instances/${id}`)).status).toBe(204);
    await later(2 * HOUR);
    expect((await ask("GET", `/api/v1/connector-instances/${id}`)).status).toBe(404);
  });

  it("has none where its connector lists no access", async () => {
    const id = await newInstance(world.a, {
      schedule: {},
      status: "active",
      skipTest: true,
      reason: "There is no system.",
    });
    await tick();
    expect(await ok("GET", `/api/v1/access-targets/${id}`)).toMatchObject({ syncStatus: "never", nextSyncAt: null });
  });

  it.each([
    ["sync", "PT1M"],
    ["driftScan", "P31D"],
    ["usage", "P2D"],
    ["sync", "P1M"],
    ["sync", 3_600],
    ["weekly", "P7D"],
  ])("is refused with %s every %s", async (reading, every) => {
    const { id } = await scheduled({});
    const refused = await ask("PATCH", `/api/v1/connector-instances/${id}`, { schedule: { [reading]: every } });
    expect(refused.status).toBe(400);
    expect(refused.json.errors[0].pointer).toMatch(/^\/schedule/);
  });
});
