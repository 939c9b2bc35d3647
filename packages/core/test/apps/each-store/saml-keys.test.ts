import { samlEngine } from "@reeve/saml";
import { type Actor, type NewApp, newApp, newSignOn, type World } from "@reeve/testkit";
import { beforeEach, expect, it } from "vitest";
import { type SamlKeyRecord, samlKeys } from "#families/apps/keys/schema.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/saml-keys";
const DAY = 86_400_000;

let app: NewApp;
let owner: Actor;
let world: World;
beforeEach(async () => {
  const engine = samlEngine();
  // A key takes a tenth of a second, and which one it is does not matter here.
  let key: ReturnType<typeof engine.newKey> | undefined;
  const newKey: typeof engine.newKey = (...given) => {
    key ??= engine.newKey(...given);
    return key;
  };
  world = await createWorld({ saml: { ...engine, newKey }, tokenLifetime: 86_400 });
  owner = await world.a.newUser(["owner"]);
  app = await newApp(world.a, {}, owner);
});

const ask = (method: "GET" | "POST", path: string) => world.send(method, path, { token: owner.token });
const keys = async (): Promise<{ id: string; status: string }[]> => (await ask("GET", PATH)).json.items;
async function rotate() {
  const made = await ask("POST", PATH);
  if (made.status !== 201) return made;
  return ask("POST", `${PATH}/${made.json.id}/activate`);
}

it("ten keys retire at most, and the next is made once one of them has left the metadata", async () => {
  for (let times = 0; times < 10; times += 1) expect((await rotate()).status).toBe(200);
  expect((await rotate()).json).toMatchObject({ status: 403, code: "limit_exceeded" });
  const found = await keys();
  expect(found.map(({ status }) => status)).toEqual([...Array(10).fill("retiring"), "active"]);
  await newSignOn(world.a, owner, app);
  world.clock.advance(30 * DAY);
  owner = { ...owner, ...(await world.a.signIn(owner.userId, owner)) };
  expect((await keys()).map(({ status }) => status)).toEqual(["active"]);
  expect((await rotate()).status).toBe(200);
});

it("the key that signs is found behind however many that retire", async () => {
  await newSignOn(world.a, owner, app);
  const reader = world.store.forTenant(world.a.tenantId);
  const active = (await reader.lookup(samlKeys, "slot", { slot: "active" }))?.value as SamlKeyRecord;
  const retiresAt = new Date(world.clock.now() + 20 * DAY).toISOString();
  const older = Array.from({ length: 150 }, (_, at) => ({
    ...active,
    id: `samk_${String(at).padStart(26, "0")}`,
    version: 1,
    status: "retiring" as const,
    retiresAt,
  }));
  await world.store.transaction(world.a.tenantId, (tx) => tx.insertMany(samlKeys, older));
  world.clock.advance(5_000);
  await newSignOn(world.a, owner, app);
  const found = await keys();
  expect(found.at(-1)).toMatchObject({ id: active.id, status: "active" });
  expect((await world.send("GET", `/saml/metadata?tenant=${world.a.tenantId}`)).status).toBe(200);
});
