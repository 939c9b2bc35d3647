import { ConnectorError, type Principal } from "@reeve/core/connectors";
import {
  createWorld as createFullWorld,
  newTarget,
  ScriptedAccess,
  ScriptedConnector,
  type World,
} from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyStore } from "../../helpers/stores.js";

const access = new ScriptedAccess(undefined, { principals: true });
const PRINCIPALS: readonly Principal[] = [
  { type: "service_account", externalId: "16385", displayName: "svc-claims" },
  { type: "service_account", externalId: "16386", displayName: "svc-payments" },
  { type: "group", externalId: "16387", displayName: "claims" },
];
let world: World;
let connectorInstanceId: string;
beforeAll(async () => {
  const connectors = [new ScriptedConnector().connector, access.connector];
  world = { ...(await createFullWorld({ store: await emptyStore(), connectors, tokenLifetime: 86_400 })), access };
  connectorInstanceId = await newTarget(world.a, {
    providerKey: ScriptedAccess.providerKey,
    configuration: { account: "principals" },
  });
});

const account = () => {
  const one = access.account("principals");
  one.principals = [...PRINCIPALS];
  one.script = undefined;
  return one;
};
const declare = async (externalId: string, more: object = {}, token = world.a.owner.token, assetId?: string) =>
  world.send("POST", `/api/v1/ai-assets/${assetId ?? (await world.a.newAsset())}/access-identities`, {
    token,
    body: { connectorInstanceId, principal: { type: "service_account", externalId, ...more } },
  });

describe("a principal that is declared", () => {
  it.each(["svc-claims", "16385"])("is found by %s, and kept by the id that stays with its name now", async (named) => {
    account();
    const { status, json } = await declare(named, { displayName: "what somebody calls it" });
    expect([status, json]).toMatchObject([
      201,
      {
        principal: { type: "service_account", externalId: "16385", displayName: "svc-claims" },
        lookUp: { outcome: "found", reason: null, at: expect.any(String) },
      },
    ]);
  });

  it("is the same one, whichever way it is named", async () => {
    account();
    const assetId = await world.a.newAsset();
    expect((await declare("svc-claims", {}, undefined, assetId)).status).toBe(201);
    expect((await declare("16385", {}, undefined, assetId)).json).toMatchObject({ code: "already_exists" });
  });

  it("is refused when it is not there, with the nearest who are", async () => {
    account().principals.push(
      ...Array.from({ length: 300 }, (_, at) => ({ type: "user" as const, externalId: `far-away-${at}` })),
    );
    const { status, json } = await declare("svc-clams");
    expect([status, json]).toMatchObject([
      422,
      {
        code: "principal_not_found",
        errors: [{ pointer: "/principal/externalId", code: "principal_not_found" }],
        candidates: [{ type: "service_account", externalId: "16385", displayName: "svc-claims" }, {}, {}, {}, {}],
      },
    ]);
    expect(json.candidates).toHaveLength(5);
  });

  it("is refused as a person when it is a group, and the other way round", async () => {
    account();
    expect((await declare("claims")).json).toMatchObject({
      code: "principal_not_found",
      detail: "It is a group there.",
      candidates: [{ type: "group", externalId: "16387" }],
    });
    expect((await declare("svc-claims", { type: "group" })).json).toMatchObject({ detail: "It is no group there." });
  });

  it("is refused when several have its name", async () => {
    account().principals.push({ type: "service_account", externalId: "svc-claims" });
    const { status, json } = await declare("svc-claims");
    expect([status, json.candidates.map(({ externalId }: Principal) => externalId).sort()]).toEqual([
      422,
      ["16385", "svc-claims"],
    ]);
  });

  it("stands as it was declared where the target does not tell", async () => {
    account().principals = [];
    expect((await declare("svc-x", { displayName: "X" })).json).toMatchObject({
      principal: { externalId: "svc-x", displayName: "X" },
      lookUp: { outcome: "unknown", reason: "not_reported" },
    });
  });

  it("stands as it was declared where the target cannot be asked", async () => {
    account().script = () => {
      throw new ConnectorError("transient", "It is away.");
    };
    const { status, json } = await declare("svc-y");
    expect([status, json.lookUp]).toMatchObject([201, { outcome: "unknown", reason: "not_reached" }]);
  });

  it("is not looked for in the target of another tenant, nor for who may not declare it", async () => {
    const { calls } = account();
    const before = calls.length;
    const answer = await declare("svc-claims", {}, world.b.owner.token, await world.b.newAsset());
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_reference"]);
    expect((await declare("svc-claims", {}, world.b.owner.token)).status).toBe(404);
    expect(calls.slice(before)).toEqual([]);
  });
});
