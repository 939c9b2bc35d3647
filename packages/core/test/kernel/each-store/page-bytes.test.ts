import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { PAGE_BYTES } from "#kernel/operation/page.js";
import { createWorld } from "../../helpers/world.js";

const COUNT = 90;
const LARGE = "x".repeat(31_000);

describe("S15 a page of a list", () => {
  let world: World;
  const names: string[] = [];
  beforeAll(async () => {
    world = await createWorld({ rateLimits: "off" });
    for (let n = 0; n < COUNT; n += 1) {
      const name = `large ${n}`;
      await world.a.newAsset({ name, provider: "large", metadata: { note: LARGE }, attributes: { note: LARGE } });
      names.unshift(name);
    }
  });

  const get = async (path: string) => {
    const { status, json, text } = await world.send("GET", path, { token: world.a.owner.token });
    expect(status, path).toBe(200);
    expect(text.length, path).toBeLessThan(PAGE_BYTES + 200_000);
    return json;
  };
  /** All items of a list by its cursors, and how many pages there are. */
  const walk = async (path: string) => {
    const items = [];
    let pages = 0;
    for (let cursor = ""; ; pages += 1) {
      const page = await get(`${path}${cursor}`);
      items.push(...page.items);
      if (page.nextCursor === null) return { items, pages: pages + 1 };
      cursor = `&cursor=${page.nextCursor}`;
    }
  };

  it.each([
    ["records in their order", "/api/v1/ai-assets?provider=large&size=100"],
    ["records in another order", "/api/v1/ai-assets?provider=large&sort=-updatedAt&size=100"],
    ["records by a state that time changes", "/api/v1/ai-assets?provider=large&governanceState=unreviewed&size=100"],
  ])("ends before four mebibytes, with a cursor to the rest: %s", async (_what, path) => {
    const { items, pages } = await walk(path);
    expect(pages).toBeGreaterThan(1);
    expect(items.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it("begins where its number says, however much of it there is", async () => {
    const path = "/api/v1/ai-assets?provider=large&size=80";
    const [first, second] = [await get(path), await get(`${path}&page=1`)];
    expect(first.items.length).toBeLessThan(80);
    expect(first).toMatchObject({ page: 0, size: 80, totalItems: COUNT, nextCursor: expect.any(String) });
    expect(second.items.map(({ name }: { name: string }) => name)).toEqual(names.slice(80));
  });

  it.each([
    ["all events", "/api/v1/ai/activity?size=100"],
    ["events of a type", "/api/v1/ai/activity?type=asset.created&size=100"],
  ])("ends before four mebibytes, with a cursor to the rest: %s", async (_what, path) => {
    const { items, pages } = await walk(path);
    expect(pages).toBeGreaterThan(1);
    const created = items.filter(({ data }) => data?.after?.provider === "large");
    expect(created.map(({ data }) => data.after.name)).toEqual(names);
  });
});
