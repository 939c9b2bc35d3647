import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const ERASURES = "/api/v1/ai-governance/audit/erasures";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body?: object, who: Pick<Actor, "token"> = world.a.owner) =>
  world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
const ok = async (...[method, path, body, who]: Parameters<typeof send>) => {
  const answer = await send(method, path, body, who);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const versionsOf = async (id: string) => (await ok("GET", `${ASSETS}/${id}/versions`)).items;

describe("the versions of an asset", () => {
  it("are what each change left, the newest first, with who made it and its states then", async () => {
    const { operator, approver } = world.a.actors;
    const id = await world.a.newAsset({ riskTier: "limited" });
    await ok("PUT", `${ASSETS}/${id}`, { purpose: "Sorts mail.", riskTier: "high" }, operator);
    await ok("PATCH", `${ASSETS}/${id}/governance-state`, { status: "under_review" }, operator);
    await ok("PATCH", `${ASSETS}/${id}/governance-state`, { status: "approved" }, approver);
    await ok("PUT", `${ASSETS}/${id}`, { labels: { tier: "gold" } }, operator);
    const items = await versionsOf(id);
    expect(items).toMatchObject([
      { changed: ["labels"], by: operator.userId, governanceState: "approved" },
      { changed: ["riskTier", "purpose"], by: operator.userId, governanceState: "unreviewed" },
      { changed: null, by: world.a.owner.userId, status: "registered" },
    ]);
    const read = (at: number) => ok("GET", `${ASSETS}/${id}/versions/${items[at].id}`);
    expect(await read(0)).toMatchObject({ labels: { tier: "gold" }, riskTier: "high" });
    expect(await read(1)).toMatchObject({ purpose: "Sorts mail.", riskTier: "high" });
    const first = await read(2);
    expect(first.purpose).not.toBe("Sorts mail.");
    expect(first).toMatchObject({ riskTier: "limited", changed: null });
  });

  it("are made by changes of its record too, and by no observation", async () => {
    const record = await world.a.newAgent();
    const { assetId: id } = await ok("GET", `/api/v1/ai/agents/${record}`);
    await ok("PUT", `/api/v1/ai/agents/${record}`, { description: "Answers refunds." });
    await world.a.newFinding(id);
    expect((await versionsOf(id)).map(({ changed }: { changed: unknown }) => changed)).toEqual([["description"], null]);
  });

  it("are not found by the id of another event, or by another tenant", async () => {
    const [id, other] = [await world.a.newAsset(), await world.a.newAsset()];
    const [version] = await versionsOf(other);
    expect((await send("GET", `${ASSETS}/${id}/versions/${version.id}`)).status).toBe(404);
    for (const path of ["", `/${(await versionsOf(id))[0].id}`])
      expect((await send("GET", `${ASSETS}/${id}/versions${path}`, undefined, world.b.owner)).status).toBe(404);
  });

  it("are known as far as the record of changes is whole", async () => {
    const id = await world.a.newAsset();
    const reason = "asked for by the person concerned";
    const asked = await ok("POST", ERASURES, { subjectId: id, reason });
    await ok("POST", `${ERASURES}/${asked.id}/decision`, { decision: "approve" }, world.a.actors.admin);
    expect(await versionsOf(id)).toEqual([]);
    await ok("PUT", `${ASSETS}/${id}`, { purpose: "Sorts mail." });
    await ok("PUT", `${ASSETS}/${id}`, { purpose: "Sorts parcels." });
    const items = await versionsOf(id);
    expect(items.map(({ changed }: { changed: unknown }) => changed)).toEqual([["purpose"], ["purpose"]]);
    expect(await ok("GET", `${ASSETS}/${id}/versions/${items[1].id}`)).toMatchObject({ purpose: "Sorts mail." });
  });
});
