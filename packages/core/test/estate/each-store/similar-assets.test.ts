import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const AGENTS = "/api/v1/ai/agents";
const SERVERS = "/api/v1/ai/mcp-servers";

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

/** Registers an asset at a time of its own. Returns its id and the hints. */
async function create(path: string, body: object, token = world.a.owner.token, headers = {}) {
  world.clock.advance(1_000);
  const answer = await world.send("POST", path, { token, body, headers });
  expect(answer.status, answer.text).toBe(201);
  return { id: (answer.json.assetId ?? answer.json.id) as string, link: answer.headers.link };
}
const related = (id: string, by: string) => `<${ASSETS}/${id}>; rel="related"; by="${by}"`;

describe("a new asset", () => {
  it("is told of those of its type with the same name, but for case and punctuation", async () => {
    const first = await create(ASSETS, { assetType: "dataset", name: "Support Tickets (EU)" });
    expect(first.link).toBe(undefined);
    const second = await create(ASSETS, { assetType: "dataset", name: "support-tickets EU" });
    expect(second.link).toBe(related(first.id, "name"));
    const third = await create(ASSETS, { configuration: { assetType: "dataset" }, name: "SUPPORT TICKETS EU" });
    expect(third.link).toBe(`${related(second.id, "name")}, ${related(first.id, "name")}`);
    expect((await create(ASSETS, { assetType: "prompt", name: "Support Tickets EU" })).link).toBe(undefined);
    expect((await create(ASSETS, { assetType: "dataset", name: "Support Tickets US" })).link).toBe(undefined);
    expect((await create(ASSETS, { assetType: "dataset" })).link).toBe(undefined);
  });

  it("is told of three at most for each thing in common, the newest, and of none that is gone", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.unshift((await create(ASSETS, { name: "the same" })).id);
    await world.send("DELETE", `${ASSETS}/${ids.shift()}`, { token: world.a.owner.token });
    const { id, link } = await create(ASSETS, { name: "the same" });
    expect(link).toBe(ids.map((one) => related(one, "name")).join(", "));
    const three = [id, ...ids].slice(0, 3);
    expect((await create(ASSETS, { name: "the same" })).link).toBe(three.map((one) => related(one, "name")).join(", "));
  });

  it("is told of the same external id in other environments", async () => {
    const ref = { provider: "p", externalRef: { id: "x-1" } };
    const first = await create(ASSETS, { ...ref, environment: "test" });
    const second = await create(ASSETS, { ...ref, environment: "production" });
    expect(second.link).toBe(related(first.id, "externalRef"));
    expect((await create(ASSETS, { ...ref, provider: "q" })).link).toBe(undefined);
    const again = await world.send("POST", ASSETS, {
      token: world.a.owner.token,
      body: { ...ref, environment: "test" },
    });
    expect(again.json).toMatchObject({ code: "already_exists", existingId: first.id });
  });

  it.each([
    [AGENTS, "endpointUrl"],
    [SERVERS, "url"],
  ])("of %s is told of what is reached at the same address", async (path, field) => {
    const first = await create(path, { name: "one", [field]: "https://one.example:443/a" });
    const second = await create(path, { name: "two", configuration: { [field]: "https://ONE.example/a" } });
    expect(second.link).toBe(related(first.id, field));
    expect((await create(path, { name: "three", [field]: "https://one.example/b" })).link).toBe(undefined);
  });

  it("is told once of one that has several things in common, from either side", async () => {
    const first = await create(SERVERS, { name: "Files", url: "https://files.example/" });
    const second = await create(SERVERS, { name: "files", url: "https://files.example/" });
    expect(second.link).toBe(related(first.id, "name"));
    expect((await create(ASSETS, { assetType: "mcp_server", name: "FILES" })).link).toContain(
      related(first.id, "name"),
    );
  });

  it("is told of nothing in another tenant", async () => {
    await create(ASSETS, { name: "told apart", provider: "p", externalRef: { id: "x" }, environment: "test" });
    const body = { name: "told apart", provider: "p", externalRef: { id: "x" }, environment: "staging" };
    expect((await create(ASSETS, body, world.b.owner.token)).link).toBe(undefined);
  });

  it("is told of nothing by callers who may not read assets", async () => {
    const { a } = world;
    await create(AGENTS, { name: "an agent" });
    const scopes = ["ai-agent:write"];
    const identity = await a.newIdentity({ kind: "workload", scopes });
    const { clientId, clientSecret } = await a.newCredential(identity);
    const grant = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { json } = await world.send("POST", "/api/v1/auth/token", { bytes: grant, headers });
    expect((await create(AGENTS, { name: "an agent" }, json.access_token)).link).toBe(undefined);
    expect((await create(AGENTS, { name: "an agent" })).link).toContain("related");
  });

  it("is answered as before when it is repeated with its key", async () => {
    const headers = { "idempotency-key": "one-and-the-same" };
    const body = { name: "made once" };
    const first = await create(ASSETS, body, undefined, headers);
    const second = await create(ASSETS, body, undefined, headers);
    expect([second.id, first.link, second.link]).toEqual([first.id, undefined, undefined]);
  });
});
