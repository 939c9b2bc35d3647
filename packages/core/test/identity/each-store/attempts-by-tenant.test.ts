import { countedHasher, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
let hasher: ReturnType<typeof countedHasher>;
let username: string;
beforeEach(async () => {
  hasher = countedHasher();
  world = await createWorld({ hasher });
  username = world.b.owner.username;
  const body = { username, password: MINE };
  // An admin of another tenant can make a user of any name.
  const made = await world.send("POST", "/api/v1/users", { token: world.a.actors.admin.token, body });
  expect(made.status).toBe(201);
});

const MINE = "the pass phrase of a namesake";
const RIGHT = () => world.b.owner.password;
const signIn = async (password: string, more: object = {}, remoteAddress = "192.0.2.50") => {
  const body = { username, password, ...more };
  return (await world.send("POST", "/api/v1/auth/signin", { body, remoteAddress })).status;
};
const [inA, inB] = [() => ({ tenant: world.a.tenantId }), () => ({ tenant: world.b.tenantId })];
const times = async (count: number, act: () => Promise<number>) => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push(await act());
  return statuses;
};

describe("attempts at a name that several tenants have", () => {
  it.each<[string, () => object, () => object]>([
    ["at a tenant, by a success at another", inB, inA],
    ["at a tenant, by a success without one", inB, () => ({})],
    ["without a tenant, by a success at one", () => ({}), inA],
    ["without a tenant, by a success without one", () => ({}), () => ({})],
  ])("are not given back %s", async (_what, guessed, proven) => {
    expect(await times(9, () => signIn("a wrong guess", guessed()))).toEqual(Array(9).fill(401));
    expect(await signIn(MINE, proven())).toBe(200);
    expect(await times(2, () => signIn("a wrong guess", guessed()))).toEqual([401, 429]);
  });

  it("do not lock out the user of another tenant, however many there are", async () => {
    for (let address = 0; address < 10; address += 1)
      await times(10, () => signIn("a wrong guess", inA(), `198.51.100.${address}`));
    expect(await signIn(MINE, inA(), "203.0.113.1")).toBe(429);
    for (const more of [inB(), {}]) expect(await signIn(RIGHT(), more, "198.51.100.1")).toBe(200);
  });

  it("are given back by a success at the same tenant", async () => {
    for (let round = 0; round < 2; round += 1) {
      expect(await times(9, () => signIn("a wrong guess", inB()))).toEqual(Array(9).fill(401));
      expect(await signIn(RIGHT(), inB())).toBe(200);
    }
  });

  it("are one budget whatever names the tenant, and the host", async () => {
    const { json } = await world.send("GET", "/api/v1/tenant/domain", { token: world.b.owner.token });
    await times(5, () => signIn("a wrong guess", inB()));
    await times(5, () => signIn("a wrong guess", { tenant: json.subdomain.toUpperCase() }));
    const host = new URL(json.tenantUrl).host;
    const body = { username, password: RIGHT() };
    const hosted = await world.send("POST", "/api/v1/auth/signin", {
      body,
      remoteAddress: "192.0.2.50",
      headers: { host },
    });
    expect(hosted.status).toBe(429);
    expect(await signIn(RIGHT())).toBe(200);
  });

  it("at a tenant that does not exist are counted like others", async () => {
    const nowhere = () => ({ tenant: "nobody-has-this" });
    expect(await times(11, () => signIn(RIGHT(), nowhere()))).toEqual([...Array(10).fill(401), 429]);
  });
});
