import { type Actor, repositoryProfile, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type RequestBench, requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = (method: string, path: string, { token }: Pick<Actor, "token">, body?: object) =>
  world.send(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });

/** Another asset that acts as the same principal, or as one of its own. Returns how it asks to write. */
async function twinOf(bench: RequestBench, isSame: boolean) {
  const { items } = (await send("GET", `/ai-assets/${bench.assetId}/access-identities`, world.a.owner)).json;
  const principal = isSame ? items[0].principal : { ...items[0].principal, externalId: world.a.unique() };
  const body = { name: world.a.unique(), assetType: "agent" };
  const { id } = (await send("POST", "/ai-assets", bench.requester, body)).json;
  const { connectorInstanceId } = bench;
  const declared = await send("POST", `/ai-assets/${id}/access-identities`, bench.requester, {
    connectorInstanceId,
    principal,
  });
  expect(declared.status, declared.text).toBe(201);
  const wanted = [{ accessProfileId: bench.writeProfileId, resourceId: bench.resourceId }];
  return () =>
    send("POST", `/ai-assets/${id}/access-requests`, bench.requester, {
      ...{ connectorInstanceId, items: wanted, duration: "PT1H", reason: "because a test wants it so" },
    });
}

const REFUSED = { status: "rejected", resolution: { code: "conflict" } };

describe.each(["a rule of a policy", "a group of which a principal has one profile"])("%s", (kind) => {
  async function readingBench() {
    const bench = await requestBench(world, null);
    if (kind === "a rule of a policy") {
      const side = (id: string) => ({ profileIds: [id] });
      const rule = { left: side(bench.accessProfileId), right: side(bench.writeProfileId), mode: "is_in" };
      const conflicts = [{ key: "both", description: "Not both.", severity: "high", onHit: "deny", ...rule }];
      await bench.policy({ conflicts });
    } else {
      const group = { exclusionGroup: "role" };
      bench.account.profiles = [
        repositoryProfile("read", group),
        repositoryProfile("write", { privilegeLevel: 2, ...group }),
      ];
      const at = `/access-targets/${bench.connectorInstanceId}`;
      await send("POST", `${at}/resources/sync?resourceType=repository`, world.a.owner);
      await bench.tick();
      const { items } = (await send("GET", `${at}/access-profiles`, world.a.owner)).json;
      for (const { id, definitionHash } of items)
        await send("POST", `/access-profiles/${id}/approve`, world.a.owner, { definitionHash });
      await bench.policy();
    }
    const { id } = await bench.asked("pending_approval");
    await bench.approve(id);
    return { bench, id };
  }

  it("counts what a principal has through another asset", async () => {
    const { bench } = await readingBench();
    await bench.tick();
    expect((await (await twinOf(bench, true))()).json).toMatchObject(REFUSED);
    expect((await (await twinOf(bench, false))()).json.status).toBe("pending_approval");
  });

  it("counts what is only asked for through another asset", async () => {
    const { bench, id } = await readingBench();
    const ask = await twinOf(bench, true);
    expect((await ask()).json).toMatchObject(REFUSED);
    await bench.verb(id, "cancel", bench.requester, { reason: "because a test wants it so" });
    expect((await ask()).json.status).toBe("pending_approval");
  });
});
