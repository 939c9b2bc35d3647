import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type HttpAnswer, served } from "../../helpers/adapters.js";
import { suspend } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

/** Names in addition to those of the world. Their order differs by case, by number and by time. */
const NAMES = ["quay North", "Quay south", "QUAY east", "pier"];

interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly subdomain: string;
  readonly status: string;
  readonly createdAt: string;
}

let world: World;
beforeAll(async () => {
  world = await createWorld({ rateLimits: "off" });
  for (const [index, organization] of NAMES.entries()) {
    world.clock.advance(1_000);
    const body = {
      organization,
      username: `founder${index}@example.test`,
      password: `a pass phrase of founder ${index}`,
    };
    expect((await world.send("POST", "/api/v1/register", { body, remoteAddress: `founder${index}` })).status).toBe(201);
  }
  await suspend(world, world.b.tenantId);
});

describe.each(["tenants", "orgs"])("the provider's list of %s over HTTP", (list) => {
  let get: (path: string, token?: string) => Promise<HttpAnswer>;
  let all: Tenant[];
  beforeAll(async () => {
    get = await served(world);
    all = (await ask("?size=100")).json.items;
  });

  const ask = (query: string, who: Actor = world.provider.owner) => get(`/api/v1/support/${list}${query}`, who.token);
  const names = ({ json }: HttpAnswer): string[] => json.items.map(({ name }: Tenant) => name);

  /** The names of a query, in pages of two. */
  async function walk(query: string): Promise<string[]> {
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const answer = await ask(`?size=2${query}${cursor}`);
      expect(answer.status, JSON.stringify(answer.json)).toBe(200);
      found.push(...names(answer));
      if (answer.json.nextCursor === null) return found;
      cursor = `&cursor=${answer.json.nextCursor}`;
    }
  }

  it("is sorted by name whatever the case, by time, and newest first when nothing is said", async () => {
    const byName = ["pier", "Provider", "QUAY east", "quay North", "Quay south", "zqalpha", "zqbravo"];
    const byTime = [...all].reverse().map(({ name }) => name);
    expect(byTime.slice(-NAMES.length)).toEqual(NAMES);
    for (const [sort, expected] of [
      ["name", byName],
      ["-name", [...byName].reverse()],
      ["createdAt", byTime],
      ["-createdAt", [...byTime].reverse()],
    ] as const) {
      expect(names(await ask(`?size=100&sort=${sort}`)), sort).toEqual(expected);
      expect(await walk(`&sort=${sort}`), sort).toEqual(expected);
    }
    expect(await walk("")).toEqual([...byTime].reverse());
  });

  it("takes several states, and every word of a search, in the order asked for", async () => {
    for (const [query, expected] of [
      ["status=suspended", ["zqbravo"]],
      ["status=suspended,closed", ["zqbravo"]],
      ["status=active,suspended&search=zq", ["zqalpha", "zqbravo"]],
      ["status=active&search=zq", ["zqalpha"]],
      ["search=QUAY", ["QUAY east", "quay North", "Quay south"]],
      ["search=south+quay", ["Quay south"]],
      ["search=pier+quay", []],
    ] as const) {
      expect(await walk(`&sort=name&${query}`), query).toEqual(expected);
      const { json } = await ask(`?size=100&${query}`);
      expect([json.totalItems, json.totalRelation], query).toEqual([expected.length, "exact"]);
    }
  });

  it("is the same for whoever may look for the provider", async () => {
    const { provider_support: support } = world.provider.actors;
    expect((await ask("?size=100&sort=name", support)).json).toEqual((await ask("?size=100&sort=name")).json);
  });

  it("tells nobody else which tenants there are, however it is asked for", async () => {
    const inside = await world.provider.newUser([]);
    for (const query of ["", "?search=zqbravo", "?status=suspended&sort=-name", "?search=nobody"]) {
      for (const who of [world.a.owner, world.a.actors.auditor]) {
        const { status, json } = await ask(query, who);
        expect([status, json.code, "totalItems" in json]).toEqual([403, "provider_policy", false]);
      }
      const { status, json } = await ask(query, inside);
      expect([status, json.code, "totalItems" in json]).toEqual([403, "permission_denied", false]);
      expect((await get(`/api/v1/support/${list}${query}`)).status).toBe(401);
    }
  });

  it.each(["sort=subdomain", "sort=entitlements", "sort=name,-name", "status=active,gone", "status=", "plan=x"])(
    "refuses %s",
    async (query) => {
      const { status, json } = await ask(`?${query}`);
      expect([status, json.code]).toEqual([400, "invalid_parameter"]);
    },
  );
});
