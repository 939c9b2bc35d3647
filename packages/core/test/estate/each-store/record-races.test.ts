import { type Answer, ROLE_NAMES, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { RECORD_KINDS } from "#families/estate/index.js";
import { sharedOf } from "#families/estate/records/follow/follow.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const REASON = "a reason of more than ten characters";
const ROUNDS = 4;

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = (method: string, path: string, body?: object, token = world.a.owner.token) =>
  world.send(method, path, { token, body });
const kinds = RECORD_KINDS.map((kind) => [kind.assetType, kind, kind.collection.resource?.path as string] as const);

/** Who lifts a suspension, and has made and changed nothing. */
const other = () => world.a.actors.admin.token;

/** What a request meets because of another one. A change during a suspension ends what could be reinstated. */
const MET = ["concurrent_modification", "invalid_transition", "not_found"];
const isMet = ({ code, guards = [] }: Answer["json"]) =>
  MET.includes(code) || guards.some(({ key, ok }: { key: string; ok: boolean }) => key === "priorState" && !ok);

/** Each request succeeded, or was refused because of another one. */
function expectSettled(answers: readonly Answer[]): void {
  const odd = answers.filter(({ status, json }) => status >= 300 && !isMet(json));
  expect(odd.map(({ text }) => text)).toEqual([]);
}

describe.each(kinds)("at the same time, a record of %s and its asset", (_type, kind, path) => {
  it("are changed through both, and agree", async () => {
    const { id, assetId } = (await send("POST", path)).json;
    const answers = await Promise.all(
      Array.from({ length: ROUNDS }, (_, n) => [
        send("PUT", `${path}/${id}`, { name: `record ${n}`, description: `record ${n}` }),
        send("PUT", `${ASSETS}/${assetId}`, { name: `asset ${n}`, environment: "staging" }),
        send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status: "suspended", reason: REASON }),
        send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status: "unreviewed", reason: REASON }, other()),
        send("PATCH", `${ASSETS}/${assetId}/lifecycle`, { status: "retired", reason: REASON }),
        send("PATCH", `${ASSETS}/${assetId}/lifecycle`, { status: "registered", reason: REASON }),
      ]).flat(),
    );
    expectSettled(answers);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(ROUNDS);
    const asset = (await send("GET", `${ASSETS}/${assetId}`)).json;
    expect((await send("GET", `${path}/${id}`)).json).toMatchObject(sharedOf(kind, asset));
  });

  it("are deleted from one side while the other is changed, and both are gone", async () => {
    for (const [gone, deleted] of ["record", "asset"].entries()) {
      const { id, assetId } = (await send("POST", path)).json;
      const [record, asset] = [`${path}/${id}`, `${ASSETS}/${assetId}`];
      const answers = await Promise.all([
        send("PUT", record, { description: "by record" }),
        send("PUT", asset, { description: "by asset" }),
        send("DELETE", deleted === "record" ? record : asset),
        send("PUT", asset, { name: `asset ${gone}` }),
        send("PUT", record, { name: `record ${gone}` }),
      ]);
      expectSettled(answers);
      const refused = answers[2]?.status === 409 ? [200, 200] : [404, 404];
      expect([(await send("GET", record)).status, (await send("GET", asset)).status]).toEqual(refused);
    }
  });
});

describe("a status that is the asset's", () => {
  it("is moved through agent and asset at the same time, and both say the same", async () => {
    const path = "/api/v1/ai/agents";
    const { id, assetId } = (await send("POST", path)).json;
    const answers = await Promise.all(
      ["suspended", "active", "retired", "active"].flatMap((status) => [
        send("PUT", `${path}/${id}`, { status, reason: REASON }, status === "active" ? other() : undefined),
        send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status: "suspended", reason: REASON }),
      ]),
    );
    expectSettled(answers);
    const asset = (await send("GET", `${ASSETS}/${assetId}`)).json;
    const kind = RECORD_KINDS.find(({ assetType }) => assetType === "agent");
    expect((await send("GET", `${path}/${id}`)).json).toMatchObject(kind ? sharedOf(kind, asset) : {});
  });

  it("is asked for with one external id at the same time, and one asset has it", async () => {
    const body = { assetType: "model", provider: "p", externalRef: { id: "race" } };
    const answers = await Promise.all(ROLE_NAMES.map(() => send("POST", ASSETS, body)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const { status, json } of answers.filter((answer) => answer.status !== 201))
      expect([status, json.code, json.existingId]).toEqual([409, "already_exists", made[0]?.json.id]);
  });
});
