import { pathOf, sampleOf, table } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const writes = table.filter(({ method, path }) => method === "POST" && path.startsWith("/api/v1/support/"));

describe("K23 bodies of provider support", () => {
  it.each(writes.map((operation) => [operation.id, operation] as const))(
    "%s refuses a property that it does not know by its pointer, and writes nothing",
    async (_id, operation) => {
      const world = await createWorld();
      const { arrange, body } = sampleOf(operation);
      const params = (await arrange?.(world.a)) ?? {};
      const sample = body?.(world.a, world.provider.owner) as Record<string, unknown>;
      const before = [await recordsOf(world.a), await recordsOf(world.provider)];
      const answer = await world.send(operation.method, pathOf(operation, params, world.a), {
        token: world.provider.owner.token,
        body: { ...sample, ticket: "OPS-1" },
      });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.json.errors).toContainEqual(expect.objectContaining({ pointer: "/ticket" }));
      expect([await recordsOf(world.a), await recordsOf(world.provider)]).toEqual(before);
    },
  );
});
