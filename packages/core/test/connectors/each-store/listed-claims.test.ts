import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const ask = (method: string, path: string, body?: object) =>
  world.send(method, `/api/v1${path}`, { token: world.a.owner.token, ...(body ? { body } : {}) });

describe("what a system lists", () => {
  it("is no right of who it says it is, and is left out by name", async () => {
    const account = world.a.unique();
    const scopes = ["ai-asset:read", "ai-asset:write"];
    const bearer = {
      issuer: "https://workloads.example",
      subject: "build 7",
      scopes,
      credentialRef: "x",
      status: "active",
    };
    const tool = { toolName: "pay", requiresApproval: false, effects: ["read"], status: "approved" };
    world.scripted.list(account, [
      {
        externalId: "i",
        assetType: "identity",
        name: "robot",
        record: { kind: "workload", privileged: true, ...bearer },
      },
      { externalId: "t", assetType: "tool", name: "pay", record: tool },
      {
        externalId: "s",
        assetType: "mcp_server",
        name: "files",
        record: { trustMode: "auto_accept", configuration: bearer },
        metadata: { env: { API_KEY: "canary4711canary4711", REGION: "eu" }, docsUrl: "javascript:alert(1)" },
      },
    ]);
    const made = await ask("POST", "/connector-instances", {
      ...{ name: account, providerKey: "scripted", configuration: { account }, secrets: { apiKey: "the key of it" } },
      ...{ status: "active", skipTest: true, reason: "There is no other system." },
    });
    const path = `/integrations/${made.json.id}`;
    const begun = await ask("POST", `${path}/import`, {});
    for (let at = 0; at < 6; at += 1) {
      await world.controlPlane.tick();
      world.clock.advance(1_000);
    }
    const { status, counts } = (await ask("GET", `${path}/imports/${begun.json.id}`)).json;
    expect([status, counts.create]).toEqual(["completed", 3]);
    const lines = (await ask("GET", `${path}/imports/${begun.json.id}/items`)).json.items;
    type Line = { readonly externalId: string; readonly leftOut: readonly { readonly part: string }[] };
    const left = new Map((lines as Line[]).map((one) => [one.externalId, one.leftOut.map(({ part }) => part)]));
    const fields = (...names: string[]) => names.map((name) => `record.${name}`);
    expect(left.get("i")).toEqual(fields("credentialRef", "issuer", "scopes", "status", "subject"));
    expect(left.get("t")).toEqual(fields("effects", "requiresApproval", "status"));
    expect(left.get("s")).toEqual([
      ...fields("configuration", "trustMode"),
      ...["metadata.docsUrl", "metadata.env.API_KEY"],
    ]);
    expect(JSON.stringify(await recordsOf(world.a))).not.toContain("canary4711");
    const [identity] = (await ask("GET", "/ai/identities?search=robot")).json.items;
    expect(identity).toMatchObject({ kind: "workload", privileged: true, issuer: null, subject: null, scopes: [] });
    const [server] = (await ask("GET", "/ai/mcp-servers?search=files")).json.items;
    expect(server.trustMode).not.toBe("auto_accept");
    const [listed] = (await ask("GET", "/ai/tools?search=pay")).json.items;
    expect(listed.status).not.toBe("approved");
  });
});
