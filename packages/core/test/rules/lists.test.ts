import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  // One asset of the scene stays with the sixty. Those with a typed record are deleted.
  for (const { id, assetType } of (await ask("?size=100")).json.items) {
    if (assetType !== "application")
      await world.send("DELETE", `/api/v1/ai-assets/${id}`, { token: world.a.owner.token });
  }
  for (let index = 0; index < 60; index += 1) {
    world.clock.advance(index % 3 === 0 ? 0 : 1);
    await world.a.newAsset({
      assetType: index % 2 ? "model" : "tool",
      provider: index % 3 ? "p1" : "p2",
      environment: index % 5 ? "test" : "staging",
      name: `name ${index} 100% a_b`,
    });
  }
});

const ask = (query: string, scene = world.a, path = "/api/v1/ai-assets") =>
  world.send("GET", `${path}${query}`, { token: scene.owner.token });
const ids = (json: { items: { id: string }[] }) => json.items.map(({ id }) => id);

describe("pages", () => {
  it("hold 25 items, newest first, with totals", async () => {
    const { json } = await ask("");
    expect(json).toMatchObject({ page: 0, size: 25, totalItems: 61, totalPages: 3, totalRelation: "exact" });
    expect(json.items).toHaveLength(25);
    const times = json.items.map(({ createdAt, id }: { createdAt: string; id: string }) => `${createdAt} ${id}`);
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each([1, 2, 7, 25, 60, 61, 100])("of %i show every record once, by page and by cursor", async (size) => {
    const all = ids((await ask("?size=100")).json);
    expect(new Set(all).size).toBe(61);
    const byPage: string[] = [];
    for (let page = 0; page * size < 61; page += 1) byPage.push(...ids((await ask(`?size=${size}&page=${page}`)).json));
    const byCursor: string[] = [];
    let query = `?size=${size}`;
    for (;;) {
      const { json } = await ask(query);
      byCursor.push(...ids(json));
      if (json.nextCursor === null) break;
      query = `?size=${size}&cursor=${json.nextCursor}`;
    }
    expect(byPage).toEqual(all);
    expect(byCursor).toEqual(all);
  });

  it("keep their place when newer records come in between", async () => {
    const { a } = await createWorld();
    for (let index = 0; index < 8; index += 1) await a.newAsset();
    const first = await a.send("GET", "/api/v1/ai-assets?size=4", { token: a.owner.token });
    const { totalItems } = first.json;
    await a.newAsset();
    const next = await a.send("GET", `/api/v1/ai-assets?size=100&cursor=${first.json.nextCursor}`, {
      token: a.owner.token,
    });
    expect([...ids(first.json), ...ids(next.json)]).toHaveLength(totalItems);
    expect(new Set([...ids(first.json), ...ids(next.json)]).size).toBe(totalItems);
  });

  it.each([
    ["size=101", 100],
    ["size=1000000000", 100],
    ["size=1", 1],
  ])("with %s hold at most %i", async (query, size) => {
    expect((await ask(`?${query}`)).json.size).toBe(size);
  });

  it("of what is no stored record show each item once, and the last has no cursor, full or not", async () => {
    const path = "/api/v1/ai/compliance/frameworks";
    const keys = (json: { items: { key: string }[] }) => json.items.map(({ key }) => key);
    const whole = keys((await ask("?size=100", world.a, path)).json);
    for (const size of [1, whole.length - 1, whole.length, whole.length + 1]) {
      const pages: string[][] = [];
      for (let cursor = ""; ; ) {
        const { json } = await ask(`?size=${size}${cursor}`, world.a, path);
        pages.push(keys(json));
        if (json.nextCursor === null) break;
        cursor = `&cursor=${json.nextCursor}`;
      }
      expect(pages.flat()).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(whole.length / size));
    }
  });

  it("beyond the last are empty", async () => {
    expect((await ask("?page=99")).json).toMatchObject({ items: [], page: 99, totalItems: 61, nextCursor: null });
  });

  it.each([
    "size=0",
    "size=-1",
    "size=1.5",
    "size=",
    "size=abc",
    "size=+1",
    "size=0x10",
    "size=%201",
    "size=1e2",
    "size=01",
    "size=1;drop",
    "size=9007199254740993",
    "size=1&size=2",
    "page=-1",
    "page=1.5",
    "page=",
    "page[]=1",
    "page=null",
    "Size=1",
    "sort=nothing",
    "sort=provider",
    "sort=name,-name",
    "sort=",
    "assetType=model,nothing",
    "limit=1",
    "assetType=nothing",
    "environment=",
    "environment=Production",
    "search=a&search=b",
    "status=nothing",
    "__proto__=1",
    "constructor=1",
    "search=%00",
    "search=%ff",
    "search=%ed%a0%80",
    "search=%",
    `search=${"x".repeat(201)}`,
  ])("are not asked for by %s", async (query) => {
    const answer = await ask(`?${query}`);
    expect(answer.status).toBe(400);
    expect(["invalid_parameter", "forbidden_key", "invalid_encoding"]).toContain(answer.json.code);
  });

  it("deeper than the window send the caller to the cursor", async () => {
    expect((await ask("?size=100&page=99")).status).toBe(200);
    for (const query of ["?size=100&page=100", "?size=1&page=10000", "?page=9007199254740991"]) {
      expect((await ask(query)).json.code).toBe("page_window_exceeded");
    }
  });
});

describe("a cursor", () => {
  const next = async (query: string, scene = world.a): Promise<string> => (await ask(query, scene)).json.nextCursor;

  it("is refused when it is not ours or was changed", async () => {
    const cursor = await next("?size=2");
    const flipped = [...cursor].map(
      (_, at) => cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1),
    );
    for (const bad of ["", "x", "AAAA", cursor.slice(1), `${cursor}A`, `${cursor}%3D`, "x".repeat(1_024), ...flipped]) {
      const answer = await ask(`?size=2&cursor=${bad}`);
      expect(answer.json.code).toBe("invalid_cursor");
    }
    expect((await ask(`?cursor=${"x".repeat(1_025)}`)).status).toBe(400);
  });

  it("belongs to its filters, list and tenant", async () => {
    const plain = await next("?size=2");
    const filtered = await next("?size=2&assetType=model");
    for (const query of [
      `?assetType=model&cursor=${plain}`,
      `?cursor=${filtered}`,
      `?assetType=tool&cursor=${filtered}`,
      `?search=name&cursor=${plain}`,
    ])
      expect((await ask(query)).json.code).toBe("invalid_cursor");
    await world.b.newAsset();
    const foreign = await next("?size=1", world.b);
    expect((await ask(`?size=1&cursor=${foreign}`)).json.code).toBe("invalid_cursor");
    const users = await world.send("GET", `/api/v1/users?cursor=${plain}`, { token: world.a.owner.token });
    expect(users.json.code).toBe("invalid_cursor");
  });

  it("does not go together with a page, and lasts a day", async () => {
    const lasting = await createWorld({ tokenLifetime: 86_400 });
    await lasting.a.newAsset();
    const list = (query: string) => lasting.send("GET", `/api/v1/ai-assets${query}`, { token: lasting.a.owner.token });
    const { nextCursor } = (await list("?size=1")).json;
    expect((await list(`?size=1&page=1&cursor=${nextCursor}`)).json.code).toBe("invalid_parameter");
    lasting.clock.advance(24 * 3_600_000);
    expect((await list(`?size=1&cursor=${nextCursor}`)).status).toBe(200);
    lasting.clock.advance(1);
    expect((await list(`?size=1&cursor=${nextCursor}`)).json.code).toBe("invalid_cursor");
  });
});

describe("filters and search", () => {
  it.each([
    ["assetType=model", 30],
    ["provider=p1", 40],
    ["environment=staging", 12],
    ["assetType=model&provider=p1", 20],
    ["assetType=tool&environment=staging", 6],
    ["provider=p2&environment=staging", 4],
    ["assetType=model&provider=p2&environment=staging", 2],
    ["provider=", 0],
    ["provider=p", 0],
    ["provider=P1", 0],
    ["provider=p1,p2", 60],
    ["assetType=tool,model&environment=test&provider=p2", 16],
    ["owned=true", 61],
    ["owned=false", 0],
    ["search=100%25%20NAME%20", 60],
    ["search=a_b++name", 60],
    ["search=name+nothing", 0],
    ["search=100%25", 60],
    ["search=%25", 60],
    ["search=a_b", 60],
    ["search=a%25b", 0],
    ["search=aXb", 0],
    ["search=%27%20OR%201=1--", 0],
    ["search=%22", 0],
    ["search=*", 0],
    ["search=", 61],
    ["search=100%25&assetType=model", 30],
    ["search=100%25&assetType=model&provider=p1", 20],
  ])("%s finds %i", async (query, count) => {
    const { json } = await ask(`?size=100&${query}`);
    expect(json.items).toHaveLength(count);
    expect(json.totalItems).toBe(count);
  });

  it("look into name, description, external id, labels and metadata, whatever the case and form", async () => {
    const { a } = await createWorld();
    await a.newAsset({
      name: "Straße ÉCLAIR",
      description: "in the Description",
      labels: { colour: "Teal" },
      metadata: { deep: { er: ["value", 4711] } },
      externalRef: { id: "EXT-9" },
    });
    const find = async (search: string) =>
      (await a.send("GET", `/api/v1/ai-assets?search=${encodeURIComponent(search)}`, { token: a.owner.token })).json
        .totalItems;
    for (const text of [
      "straße",
      "STRASSE",
      "éclair straße",
      "éclair",
      "E\u0301CLAIR",
      "description",
      "colour=teal",
      "ext-9",
      "deep",
      "4711",
      "VALUE",
    ]) {
      expect(await find(text), text).toBe(1);
    }
    for (const text of ["eclair", "owner of"]) expect(await find(text), text).toBe(0);
  });
});
