import { newAccessIdentity, newTarget, repository, repositoryProfile, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { READ, toolBench, WRITE } from "../../helpers/agent-tools.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

/** Two accounts of a code host in which one asset has the same access, each with a token of its own. */
async function twoTargets() {
  const bench = await toolBench(world);
  const { a } = world;
  const name = a.unique();
  const account = world.access.account(name);
  account.resources = [repository("repo")];
  account.profiles = [repositoryProfile("read"), repositoryProfile("write", { privilegeLevel: 2 })];
  const send = async (method: string, at: string, body?: object) =>
    (await world.send(method, `/api/v1/access-${at}`, { token: a.owner.token, ...(body ? { body } : {}) })).json;
  const second = await newTarget(a, { name, configuration: { account: name } });
  await send("POST", `targets/${second}/resources/sync?resourceType=repository`);
  await world.controlPlane.tick();
  const { items: profiles } = await send("GET", `targets/${second}/access-profiles`);
  for (const { id, definitionHash } of profiles) await send("POST", `profiles/${id}/approve`, { definitionHash });
  const write = profiles.find((one: { externalId: string }) => one.externalId === "write");
  const [resource] = (await send("GET", `targets/${second}/resources`)).items;
  const identityId = await newAccessIdentity(a, bench.assetId, second);
  await bench.grant({ identityId, accessProfileId: write.id, resourceId: resource.id });
  const tokens = [
    (await bench.issue({ connectorInstanceId: bench.connectorInstanceId })).token,
    (await bench.issue({ connectorInstanceId: second })).token,
  ] as const;
  return { bench, accounts: [bench.account, account] as const, tokens };
}

describe("a key of a call to a tool", () => {
  it("finds no answer of another target", async () => {
    const { bench, accounts, tokens } = await twoTargets();
    for (const [at, account] of accounts.entries()) account.output = { text: `kept in target ${at}` };
    for (const [at, token] of tokens.entries()) {
      const call = () => bench.run(token, { ...READ, idempotencyKey: "step-1" });
      expect((await call()).text).toContain(`kept in target ${at}`);
      expect((await call()).json).toMatchObject({ replayed: true });
    }
  });

  it("has a write made in each target once", async () => {
    const { bench, accounts, tokens } = await twoTargets();
    const before = accounts.map(({ ran }) => ran.length);
    for (const token of [...tokens, ...tokens]) await bench.run(token, { ...WRITE, idempotencyKey: "step-2" });
    expect(accounts.map(({ ran }, at) => ran.length - (before[at] ?? 0))).toEqual([1, 1]);
  });
});
