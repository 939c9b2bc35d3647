import { createPlane, pathOf, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

/** Methods of successors that differ: what was replaced as a whole is changed in part, and what is listed may name what is posted. */
const SUCCEEDED_BY: Readonly<Record<string, readonly string[]>> = { PUT: ["PUT", "PATCH"], POST: ["POST", "GET"] };

const deprecated = table.filter((operation) => operation.deprecated);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe("deprecated operations", () => {
  it("are the older ones over runtime policies and connectors, and not the decision point", () => {
    const ids = deprecated.map(({ id }) => id);
    const catalog = table.filter(({ path }) => path.startsWith("/api/v1/catalog"));
    expect(catalog).toHaveLength(16);
    expect(ids.filter((id) => id.startsWith("catalog.")).sort()).toEqual(catalog.map(({ id }) => id).sort());
    expect(ids.filter((id) => !id.startsWith("catalog.")).sort()).toEqual([
      "aiPolicies.create",
      "aiPolicies.delete",
      "aiPolicies.list",
      "aiPolicies.read",
      "aiPolicies.replace",
    ]);
  });

  it.each(deprecated.map((operation) => [operation.id, operation] as const))(
    "%s says since when, until when and what to use instead, and that is there",
    async (_id, operation) => {
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      const { headers, status } = await sendSample(world.a, operation, world.a.owner, { params });
      expect(status).toBe(operation.success.status);
      // RFC 9745 uses a structured date, RFC 8594 an HTTP date.
      expect(headers.deprecation).toBe(`@${Date.UTC(2026, 10, 22) / 1_000}`);
      expect(headers.sunset).toBe("Mon, 22 Nov 2027 00:00:00 GMT");
      const [, target = ""] = /^<([^>]+)>; rel="successor-version"$/.exec(headers.link ?? "") ?? [];
      const methods = SUCCEEDED_BY[operation.method] ?? [operation.method];
      const successor = table.find(
        (one) => methods.includes(one.method) && pathOf(one, params) === target.split("?")[0],
      );
      expect(successor).toBeDefined();
      expect(successor?.deprecated).toBeUndefined();
    },
  );

  it("say so when they refuse, too, under the mount and with the id that was asked for", async () => {
    const { controlPlane } = createPlane();
    const answer = await controlPlane.handle({
      method: "GET",
      target: "/api/v1/ai/policies/a%20b",
      headers: {},
      mountPath: "/reeve",
      remoteAddress: "192.0.2.1",
      body: async () => new Uint8Array(),
    });
    expect(answer?.status).toBe(401);
    expect(answer?.headers.link).toBe('</reeve/api/v1/ai-governance/policies/a%20b>; rel="successor-version"');
    await controlPlane.close();
    const closed = await controlPlane.handle({
      method: "GET",
      target: "/api/v1/ai/policies",
      headers: {},
      body: async () => new Uint8Array(),
    });
    expect(closed).toMatchObject({ status: 503, headers: { deprecation: expect.stringMatching(/^@\d+$/) } });
  });

  it("are marked in the interface description, and others are not", () => {
    const { paths } = world.controlPlane.openapi() as {
      paths: Record<string, Record<string, { operationId: string; deprecated?: boolean }>>;
    };
    const marked = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .filter((operation) => operation.deprecated)
      .map(({ operationId }) => operationId);
    expect(marked.sort()).toEqual(deprecated.map(({ id }) => id).sort());
  });

  it("leave the answers of all others as they are", async () => {
    const answer = await world.send("GET", "/api/v1/ai-governance/policies", { token: world.a.owner.token });
    expect(Object.keys(answer.headers).filter((name) => /deprecation|sunset|link/.test(name))).toEqual([]);
  });
});
