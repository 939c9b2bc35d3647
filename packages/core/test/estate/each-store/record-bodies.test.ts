import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { RECORD_KINDS } from "#families/estate/index.js";
import { readRecordBody } from "#families/estate/records/write/body.js";
import { realSchema } from "#schema/lazy-schema.js";
import { recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const MANY = (count: number, one: unknown) => Array(count).fill(one);

/** For each kind: fields with an invalid value, and the pointer of the error. */
const WRONG: Readonly<Record<string, readonly (readonly [field: string, value: unknown, at?: string])[]>> = {
  agent: [
    ["kind", "robot"],
    ["framework", 5],
    ["modelIds", "mdl_1"],
    ["modelIds", [5], "/0"],
    ["toolIds", ["tol_1", "tol_1"]],
    ["mcpServerIds", MANY(101, "x")],
    ["identityId", ["idn_1"]],
    ["endpointUrl", "ftp://agent.example/"],
    ["endpointUrl", "https://user:pass@agent.example/"],
    ["instructionsDigest", "ABC"],
    ["limits", { maxIterations: 0 }, "/maxIterations"],
    ["limits", { maxCostUsd: "5" }, "/maxCostUsd"],
    ["limits", []],
    ["heartbeatAt", "yesterday"],
    ["agentCard", []],
  ],
  tool: [
    ["origin", "elsewhere"],
    ["serverId", 5],
    ["toolName", ""],
    ["toolDescription", "x".repeat(16_385)],
    ["inputSchema", "object"],
    ["outputSchema", { a: "x".repeat(30_000), b: "x".repeat(30_000), c: "x".repeat(30_000) }],
    ["annotations", [1]],
    ["effects", ["read", "explode"], "/1"],
    ["requiresApproval", "yes"],
  ],
  identity: [
    ["kind", "person"],
    ["issuer", 5],
    ["agentIds", { a: 1 }],
    ["scopes", "ai-asset:read"],
    ["privileged", 1],
    ["credentialExpiresAt", "2026-02-30"],
  ],
  model: [
    ["modelId", ["gpt"]],
    ["modality", ["smell"], "/0"],
    ["hosting", "moon"],
    ["providerRetirementAt", 5],
    ["modelCard", { poetry: {} }, "/poetry"],
    ["modelCard", { considerations: [] }, "/considerations"],
    ["aliases", ["a", "a"]],
    ["evaluations", [{ name: "mmlu", score: "good", at: "2026-01-05T09:00:00.000Z" }], "/0/score"],
    ["artifactHashes", ["sha"], "/0"],
  ],
  mcp_server: [
    ["transport", "pigeon"],
    ["url", "not a url"],
    ["url", "https://mcp.example/#part"],
    ["command", "sh -c ls"],
    ["auth", "bearer"],
    ["auth", { type: "magic" }, "/type"],
    ["auth", { type: "bearer", secret: "" }, "/secret"],
    ["protocol", { mode: "guess" }, "/mode"],
    ["healthCheck", { intervalSec: 1 }, "/intervalSec"],
    ["scanIntervalSec", 1],
    ["trustMode", "blind"],
    ["package", "npm"],
  ],
};

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
const send = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, body });

const kinds = RECORD_KINDS.map(({ assetType, collection, fields }) => ({
  assetType,
  path: collection.resource?.path as string,
  fields: Object.keys(fields.shape),
}));

describe.each(kinds)("the body of a record of $assetType", ({ assetType, path, fields }) => {
  const wrong = (WRONG[assetType] ?? []).map(([field, value, at = ""]): [string, unknown, string] => [
    field,
    value,
    at,
  ]);

  it.each(wrong)("is refused for %s: %j, wherever it stands, and nothing is stored", async (field, value, at) => {
    expect(fields).toContain(field);
    const before = await recordsOf(world.a);
    const [top, inside] = [{ [field]: value }, { configuration: { [field]: value } }];
    for (const [body, pointer] of [
      [top, `/${field}${at}`],
      [inside, `/configuration/${field}${at}`],
    ] as const) {
      const { status, json } = await send("POST", path, body);
      expect([status, json.code, json.errors?.[0]?.pointer]).toEqual([400, "invalid_request", pointer]);
    }
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("is refused in changes as in creates", async () => {
    const { id, version } = (await send("POST", path)).json;
    for (const [field, value, at] of wrong) {
      const { status, json } = await send("PUT", `${path}/${id}`, { configuration: { [field]: value } });
      expect([status, json.errors?.[0]?.pointer]).toEqual([400, `/configuration/${field}${at}`]);
    }
    expect((await send("GET", `${path}/${id}`)).json.version).toBe(version);
  });

  it("keeps what it does not know as the caller's own, where the tenant wants that", async () => {
    await world.a.keepUnknownFields();
    const own = { channel: { slack: "#agents" }, __typename: "x" };
    const made = (await send("POST", path, { configuration: own, ticket: "T-1" })).json;
    expect(made).toMatchObject({ configuration: own, attributes: { ticket: "T-1" } });
    await send("PATCH", "/api/v1/tenant/settings", { strictBodies: null });
  });

  it("points to where a reference or a rule was broken, too", async () => {
    const reference = RECORD_KINDS.find((kind) => kind.assetType === assetType)?.references[0]?.field;
    if (!reference) return expect(["model", "mcp_server"]).toContain(assetType);
    const many = reference.endsWith("s");
    const value = many ? ["nothing"] : "nothing";
    const { json } = await send("POST", path, { configuration: { [reference]: value } });
    const pointer = `/configuration/${reference}${many ? "/0" : ""}`;
    return expect(json).toMatchObject({ code: "invalid_reference", errors: [{ pointer }] });
  });
});

it.each(RECORD_KINDS.map((kind) => [kind.assetType, kind] as const))(
  "the body of a record of %s is read by a schema that stands before there are bodies",
  (_type, kind) => {
    const made = [vi.spyOn(kind.fields, "extend"), vi.spyOn(kind.fields, "partial")];
    const read = vi.spyOn(realSchema(kind.givenFields) as typeof kind.givenFields, "safeParse");
    try {
      for (const name of ["one", "another"]) readRecordBody(kind, { name, configuration: { provider: name } });
      expect(read).toHaveBeenCalledTimes(2);
      for (const method of made) expect(method).not.toHaveBeenCalled();
    } finally {
      vi.restoreAllMocks();
    }
  },
);

it("every kind has shapes that are refused", () => {
  expect(Object.keys(WRONG).sort()).toEqual(RECORD_KINDS.map(({ assetType }) => assetType).sort());
});

describe("E15 the package of an MCP server", () => {
  it("needs no version, because registries list packages without one", async () => {
    const { token } = world.a.owner;
    const of = { registryType: "npm", identifier: "@acme/files" };
    const made = await world.send("POST", "/api/v1/ai/mcp-servers", {
      token,
      body: { url: "https://mcp.example/files", auth: { type: "none" }, configuration: { package: of } },
    });
    expect([made.status, made.json.package]).toEqual([201, { ...of, version: null, sha256: null }]);
    const path = `/api/v1/ai/mcp-servers/${made.json.id}`;
    const versioned = await world.send("PUT", path, { token, body: { package: { ...of, version: "1.2.3" } } });
    expect(versioned.json.package.version).toBe("1.2.3");
    for (const version of ["", "  ", null]) {
      const without = await world.send("PUT", path, { token, body: { package: { ...of, version } } });
      expect([without.status, without.json.package.version]).toEqual([200, null]);
    }
  });
});
