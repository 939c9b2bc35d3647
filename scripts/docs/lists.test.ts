import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore } from "@reeve/core";
import { createWorld, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { namedSnippet } from "./snippets.js";

const guide = readFileSync(join(root, "docs/guides/lists.md"), "utf8");
const requests = namedSnippet(guide, "requests").trim().split("\n");

let world: World;
let open: readonly string[];
beforeAll(async () => {
  world = await createWorld({ store: createMemoryStore() });
  const ids: string[] = [];
  for (let made = 0; made < 101; made += 1) ids.push(await world.a.newFinding(await world.a.newAsset(), severe(made)));
  open = ids;
});

const severe = (at: number) => ({ severity: at % 2 ? "high" : "critical" }) as const;

describe("the guide to lists", () => {
  it.each(requests)("shows a request that is answered: %s", async (request) => {
    const [method = "", target = ""] = request.split(" ");
    const answer = await world.send(method, target, { token: world.a.owner.token });
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.json).sort()).toEqual(Object.keys(JSON.parse(namedSnippet(guide, "answer"))).sort());
  });

  it("shows a walk that comes to every finding", async () => {
    const Run = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor;
    const walk = new Run("controlPlane", "principal", `${namedSnippet(guide, "walk")}\nreturn found;`);
    const { tenantId, owner } = world.a;
    const principal = await world.controlPlane.principalOf(tenantId, owner.userId);
    const found = (await walk(world.controlPlane, principal)) as { readonly id: string }[];
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([...open]));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });
});
