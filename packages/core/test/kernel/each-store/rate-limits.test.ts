import { type Answer, createPlane, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RateLimits } from "../../../src/index.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const planeWith = (rateLimits: Partial<RateLimits>) =>
  createPlane({ store: world.store, clock: world.clock, ids: world.ids, rateLimits });
type Plane = ReturnType<typeof planeWith>;

const list = ({ send }: Plane, token = world.a.owner.token) => send("GET", "/api/v1/ai-assets", { token });
const keys = ({ send }: Plane, remoteAddress: string) => send("GET", "/.well-known/jwks.json", { remoteAddress });
const ping = ({ send }: Plane, remoteAddress: string) => send("GET", "/api/v1/monitor/ping", { remoteAddress });
let guesses = 0;
/** Each request uses another name, so that the rate limit refuses it and not the limit of failures per user. */
const signIn = ({ send }: Plane, remoteAddress = "192.0.2.9") => {
  guesses += 1;
  const body = { username: `nobody-${guesses}`, password: "nothing" };
  return send("POST", "/api/v1/auth/signin", { remoteAddress, body });
};

const signInRight = ({ send }: Plane, remoteAddress = "192.0.2.9") => {
  const { username, password } = world.a.owner;
  return send("POST", "/api/v1/auth/signin", { remoteAddress, body: { username, password } });
};

async function times(count: number, ask: () => Promise<Answer>): Promise<number[]> {
  const statuses = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status);
  return statuses;
}
const passed = (answers: readonly Answer[]) => answers.filter(({ status }) => status !== 429).length;

describe("a limit", () => {
  it("counts per tenant, principal and address, and a request that is refused counts against none", async () => {
    const plane = planeWith({ tenant: 5, principal: 3, address: 2 });
    const { owner, actors } = world.a;
    expect(await times(5, () => list(plane, owner.token))).toEqual([200, 200, 200, 429, 429]);
    expect(await times(3, () => list(plane, actors.admin.token))).toEqual([200, 200, 429]);
    expect(await times(1, () => list(plane, world.b.owner.token))).toEqual([200]);
    expect(await times(3, () => keys(plane, "192.0.2.1"))).toEqual([200, 200, 429]);
    expect(await times(1, () => keys(plane, "192.0.2.2"))).toEqual([200]);
  });

  it("S21 counts invalid bearers and missing ones per address, and never the bearer of another", async () => {
    const plane = planeWith({ rejected: 3 });
    const from = (remoteAddress: string, token?: string) =>
      plane.send("GET", "/api/v1/ai-assets", { remoteAddress, ...(token === undefined ? {} : { token }) });
    const forged = `${world.a.owner.token.slice(0, -8)}AAAAAAAA`;
    const statuses = [];
    for (const token of ["x", forged, undefined, forged, "x", undefined])
      statuses.push((await from("192.0.2.1", token)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    expect((await from("192.0.2.1", "x")).json).toMatchObject({
      code: "rate_limited",
      "violated-policies": ["rejected"],
    });
    expect((await from("192.0.2.2", "x")).status).toBe(401);
    expect(await times(5, () => from("192.0.2.1", world.a.owner.token))).toEqual([200, 200, 200, 200, 200]);
  });

  it("counts what is refused apart from what succeeds, and probes not at all", async () => {
    const plane = planeWith({ address: 1, rejected: 2, credential: 2 });
    expect(await times(3, () => signIn(plane))).toEqual([401, 401, 429]);
    expect(await times(3, () => signInRight(plane))).toEqual([200, 200, 429]);
    expect(await times(2, () => keys(plane, "192.0.2.9"))).toEqual([200, 429]);
    expect(await times(3, () => ping(plane, "192.0.2.9"))).toEqual([200, 200, 200]);
    expect((await ping(plane, "192.0.2.9")).headers).not.toHaveProperty("ratelimit");
  });

  it("says what is left and when to come back", async () => {
    const plane = planeWith({ tenant: 100, principal: 3 });
    const first = await list(plane);
    expect(first.headers["ratelimit-policy"]).toBe('"tenant";q=100;w=60, "principal";q=3;w=60');
    expect(first.headers.ratelimit).toMatch(/^"tenant";r=99;t=\d+, "principal";r=2;t=\d+$/);
    await times(2, () => list(plane));
    const refused = await list(plane);
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({
      type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
      code: "rate_limited",
      "violated-policies": ["principal"],
    });
    expect(refused.headers.ratelimit).toMatch(/"tenant";r=97;t=\d+, "principal";r=0;t=\d+/);
    const seconds = Number(refused.headers["retry-after"]);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    world.clock.advance((seconds - 1) * 1_000 - 1);
    expect((await list(plane)).status).toBe(429);
    world.clock.advance(1_001);
    expect((await list(plane)).status).toBe(200);
  });

  it("is not there when limits are off", async () => {
    const answer = await world.send("GET", "/api/v1/monitor/ping");
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });

  it("takes an IPv6 network for one peer", async () => {
    const plane = planeWith({ address: 2 });
    await keys(plane, "2001:db8:1:2::1");
    await keys(plane, "2001:db8:1:2:ffff::2%eth0");
    expect((await keys(plane, "2001:0DB8:1:2:3:4:5:6")).status).toBe(429);
    expect((await keys(plane, "2001:db8:1:3::1")).status).toBe(200);
    await times(2, () => keys(plane, "::ffff:198.51.100.1"));
    expect((await keys(plane, "198.51.100.1")).status).toBe(429);
  });

  it("is smaller for credentials and for what is expensive", async () => {
    const plane = planeWith({ credential: 2, expensive: 1 });
    expect(await times(3, () => signInRight(plane))).toEqual([200, 200, 429]);
    expect((await signInRight(plane, "192.0.2.10")).status).toBe(200);
    expect((await keys(plane, "192.0.2.9")).status).toBe(200);
    const verify = () => plane.send("GET", "/api/v1/ai-governance/audit/verification", { token: world.a.owner.token });
    expect(await times(2, verify)).toEqual([200, 429]);
    expect((await list(plane)).status).toBe(200);
  });
});

describe("limits and the store", () => {
  it("ask nothing for keys that are seldom used, and once for each part of the limit after that", async () => {
    const plane = planeWith({ tenant: 100_000, principal: 1_000 });
    await list(plane);
    const take = vi.spyOn(world.store, "reserveQuota");
    await times(49, () => list(plane));
    expect(take).toHaveBeenCalledTimes(0);
    await times(1, () => list(plane));
    expect(take).toHaveBeenCalledTimes(1);
    await times(500, () => list(plane));
    expect(take).toHaveBeenCalledTimes(11);
  });

  it("hold neither addresses nor ids", async () => {
    const take = vi.spyOn(world.store, "reserveQuota");
    await signIn(planeWith({ credential: 5, rejected: 5 }), "192.0.2.77");
    await list(planeWith({ principal: 5, tenant: 5 }));
    const keys = take.mock.calls.flatMap(([, claims]) => claims.map(({ key }) => key));
    expect(new Set(keys).size).toBe(4);
    expect(keys.filter((key) => key.includes("192.0.2.77") || key.includes(world.a.owner.userId))).toEqual([]);
  });

  it("let control planes together through no more than the limit and one part for each but one", async () => {
    const limits = { tenant: 1_000_000, principal: 60, credential: 10 };
    const planes = [planeWith(limits), planeWith(limits), planeWith(limits)];
    const lists = await Promise.all(planes.flatMap((plane) => Array.from({ length: 60 }, () => list(plane))));
    expect(passed(lists)).toBeLessThanOrEqual(60 + 2 * 3);
    expect(passed(lists)).toBeGreaterThanOrEqual(60);
    const tries = await Promise.all(planes.flatMap((plane) => Array.from({ length: 10 }, () => signInRight(plane))));
    expect(passed(tries)).toBe(10);
  });

  it("tell a process soon what others have taken", async () => {
    const limits = { tenant: 1_000_000, principal: 40 };
    const [busy, late] = [planeWith(limits), planeWith(limits)];
    expect(await times(41, () => list(busy))).toEqual([...Array(40).fill(200), 429]);
    expect(await times(3, () => list(late))).toEqual([200, 200, 429]);
  });

  it("go on by themselves while the store is silent, and let no credentials through", async () => {
    const plane = planeWith({ tenant: 1_000_000, principal: 10, credential: 10 });
    const take = vi
      .spyOn(world.store, "reserveQuota")
      .mockImplementation(() => Promise.reject(new Error("no database")));
    expect(await times(11, () => list(plane))).toEqual([...Array(10).fill(200), 429]);
    const refused = await signIn(plane);
    expect([refused.status, refused.json.code, refused.headers["retry-after"]]).toEqual([
      503,
      "storage_unavailable",
      "5",
    ]);
    expect(take).toHaveBeenCalledTimes(1);
    take.mockRestore();
    expect((await signIn(plane)).status).toBe(503);
    world.clock.advance(5_000);
    expect((await signIn(plane)).status).toBe(401);
  });
});
