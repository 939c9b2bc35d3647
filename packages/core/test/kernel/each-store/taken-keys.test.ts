import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

describe("G15 a key that is taken", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  const post = (path: string, body: object) =>
    world.send("POST", `/api/v1/${path}`, { token: world.a.owner.token, body });

  it("is told in words, with the record that holds it", async () => {
    const asset = { assetType: "dataset", provider: "cmdb", externalRef: { id: "one" }, environment: "test" };
    const first = await post("ai-assets", asset);
    const { status, json } = await post("ai-assets", asset);
    expect([status, json.code, json.existingId]).toEqual([409, "already_exists", first.json.id]);
    expect(json.detail).toBe("There is another asset with the same asset type, provider, external id and environment.");
    const user = { username: "twice@example.test", roles: [] };
    expect((await post("users", user)).status).toBe(201);
    expect((await post("users", user)).json.detail).toBe("There is another user with the same username.");
  });
});
