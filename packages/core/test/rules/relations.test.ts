import { type Scene, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Principal } from "#kernel/config/principal.js";
import { type Authority, authorityOf } from "#kernel/records/authority.js";
import type { Operation } from "#reference/index.js";
import { RELATIONS } from "../fixtures/relations/index.js";
import { createWorld } from "../helpers/world.js";

interface Said {
  readonly operation: Operation;
  readonly part: "body" | "query";
  readonly path: string;
  readonly authority: Authority | undefined;
}

type Def = Readonly<Record<string, unknown>> & { readonly type: string };

/** Every property of a schema at any depth, with the declaration of it or of what it is inside. */
function* propertiesOf(
  schema: z.ZodType | undefined,
  path: string,
  around: Authority | undefined,
  depth = 0,
): Generator<Pick<Said, "path" | "authority">> {
  const def = schema?.def as unknown as Def | undefined;
  if (!def || depth > 8) return;
  const inner = (def.innerType ?? def.in ?? def.element ?? def.valueType) as z.ZodType | undefined;
  if (inner) yield* propertiesOf(inner, path, authorityOf(inner) ?? around, depth + 1);
  for (const option of (def.options ?? []) as z.ZodType[]) yield* propertiesOf(option, path, around, depth + 1);
  for (const [name, value] of Object.entries((def.type === "object" ? def.shape : {}) as Record<string, z.ZodType>)) {
    const authority = authorityOf(value) ?? around;
    yield { path: `${path}${path && "."}${name}`, authority };
    yield* propertiesOf(value, `${path}${path && "."}${name}`, authority, depth + 1);
  }
}

const all: Said[] = table.flatMap((operation) =>
  (["body", "query"] as const).flatMap((part) => {
    const found = new Map([...propertiesOf(operation[part], "", undefined)].map((one) => [one.path, one]));
    return [...found.values()].map((one) => ({ operation, part, ...one }));
  }),
);

const ID = /(?:^|\.)(?:id|ids|\w+Ids?)$/;
/** Names of facts that others rest rights on. */
const FACTS = /(?:^|\.)(?:source|evidence|issuer|subject|scopes|privileged|(?:first|last)(?:Seen|Used)At|heartbeatAt)$/;
/** A filter of a list narrows what the caller may read already. */
const isFilter = ({ part }: Said) => part === "query";
const labelled = (some: readonly Said[]) =>
  some.map(({ operation, path, authority }) => [operation.id, path, operation, authority] as const);

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

describe("each id and each fact in a body", () => {
  const asked = all.filter((one) => !isFilter(one) && (ID.test(one.path) || FACTS.test(one.path)));

  it("declares who says it and what it must be, on its schema or in the table of relations", () => {
    expect(asked.length).toBeGreaterThan(200);
    const undeclared = asked.filter(({ authority }) => !authority);
    const found = new Set(undeclared.map(({ operation, path }) => `${operation.id} ${path}`));
    const table = Object.entries(RELATIONS).flatMap(([path, { of }]) => of.map((id) => `${id} ${path}`));
    expect([...found].sort()).toEqual(table.sort());
  });

  it("says why any record of the tenant will do where one does", () => {
    for (const { path, authority } of asked)
      if (authority?.kind === "reference" && authority.relation === "tenant")
        expect(authority.because.length, path).toBeGreaterThan(20);
    for (const [path, { why }] of Object.entries(RELATIONS)) expect(why.length, path).toBeGreaterThan(20);
  });
});

const FORGED: Readonly<Record<string, unknown>> = {
  source: "connector",
  evidence: [{ source: "Another system", at: "2020-01-01T00:00:00.000Z" }],
  firstSeenAt: "2001-01-01T00:00:00.000Z",
  lastSeenAt: "2099-01-01T00:00:00.000Z",
  lastUsedAt: "2099-01-01T00:00:00.000Z",
};

describe("a fact that only a connector or an import states", () => {
  const claims = all.filter(
    ({ part, path, authority }) =>
      part === "body" && !path.includes(".") && authority?.kind === "claim" && !authority.by.includes("caller"),
  );

  it("is asked of every operation that has one", () => {
    expect(claims.length).toBeGreaterThan(40);
    expect(new Set(claims.map(({ path }) => path))).toEqual(new Set(Object.keys(FORGED)));
  });

  it.each(labelled(claims))("is refused to whoever calls %s, as %s", async (_id, path, operation) => {
    const { a } = world;
    const params = (await sampleOf(operation).arrange?.(a)) ?? {};
    const sample = sampleOf(operation).body?.(a, a.owner) ?? {};
    for (const body of [
      { ...sample, [path]: FORGED[path] },
      { ...sample, configuration: { [path]: FORGED[path] } },
    ]) {
      const answer = await sendSample(a, operation, a.owner, { params, body });
      expect([answer.status, answer.json.code], answer.text).toEqual([400, "read_only_property"]);
    }
  });
});

/** Offices that are given where there is nothing yet to have a right to, or where nothing is stored. */
const FIRST: readonly string[] = [
  ...["aiAssets", "aiAgents", "aiTools", "aiIdentities", "aiModels", "mcpServers"].map((one) => `${one}.create`),
  ...["connectorInstances.create", "catalog.createInstance", "integrations.validateConfiguration"],
];
const naming = ({ userId: id }: { readonly userId: string }): Readonly<Record<string, unknown>> => ({
  owner: { type: "user", id },
  sponsor: { type: "user", id },
  to: { type: "user", id },
  ownerIds: [id],
});

describe("an office", () => {
  const offices = all.filter(
    ({ part, path, authority, operation }) =>
      part === "body" && !path.includes(".") && authority?.kind === "office" && !FIRST.includes(operation.id),
  );

  it("is asked for at every door", () => {
    expect(offices.length).toBeGreaterThan(12);
    const known = Object.keys(naming(world.a.owner));
    expect(offices.filter(({ path }) => !known.includes(path)).map(({ path }) => path)).toEqual([]);
  });

  it.each(labelled(offices))("is not taken by self-appointment through %s, as %s", async (_id, path, operation) => {
    const { a } = world;
    const { admin } = a.actors;
    const params = (await sampleOf(operation).arrange?.(a)) ?? {};
    const sample = sampleOf(operation).body?.(a, admin) ?? {};
    const answer = await sendSample(a, operation, admin, { params, body: { ...sample, [path]: naming(admin)[path] } });
    expect([answer.status, answer.json.code], answer.text).toEqual([403, "self_appointment_forbidden"]);
  });
});

describe("an id that must be the caller's own", () => {
  const own = all.filter(
    ({ part, authority }) => part === "body" && authority?.kind === "reference" && authority.relation === "caller",
  );
  /** Ids of the tenant that have no relation to the machine that names them. */
  const UNRELATED: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
    agentId: (scene) => scene.newAsset({ assetType: "agent" }),
    agentIds: async (scene) => [await scene.newAsset({ assetType: "agent" })],
    identityId: (scene) => scene.newIdentity(),
    parentSessionId: (scene) => scene.newSession(),
  };
  /** Who registers an agent answers for it. */
  const LET_BE: Readonly<Record<string, string>> = {
    "aiAgents.create identityId": "it gives the identity one agent more",
  };

  it.each(labelled(own).filter(([id, path]) => !(`${id} ${path}` in LET_BE)))(
    "is refused to a machine that calls %s, as %s",
    async (_id, path, operation) => {
      const { a, controlPlane } = world;
      const identity = await a.newIdentity();
      const permissions = new Set(
        ["write", "read", "report"].flatMap((verb) => KINDS.map((kind) => `${kind}:${verb}`)),
      );
      const principal: Principal = {
        ...{ kind: "client", tenantId: a.tenantId, userId: identity, username: identity, roles: [], permissions },
      };
      const params = (await sampleOf(operation).arrange?.(a)) ?? {};
      const body = { [path]: await UNRELATED[path]?.(a) };
      const call = controlPlane.call as (id: string, who: Principal, input: object) => Promise<unknown>;
      await expect(call(operation.id, principal, { params, body })).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:permission_denied|read_only_property)$/),
      });
    },
  );
});

const KINDS = ["ai-session", "ai-agent", "ai-identity", "ai-asset"];
