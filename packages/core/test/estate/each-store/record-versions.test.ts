import type { Actor, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const REASON = "a reason of more than ten characters";
const PATHS = ["agents", "tools", "models", "identities", "mcp-servers"].map((kind) => `/api/v1/ai/${kind}`);
const HOUR = 3_600_000;

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = (method: string, path: string, body?: object, ifMatch?: string, who: Actor = world.a.owner) =>
  world.send(method, path, { token: who.token, body, headers: { "if-match": ifMatch } });
const read = async (path: string) => (await send("GET", path)).json;
async function done(answer: ReturnType<typeof send>) {
  const { status, text, json } = await answer;
  expect(status, text).toBeLessThan(300);
  return json;
}
const create = (path: string) => done(send("POST", path, { name: world.a.unique() }));
const govern = (assetId: string, status: string, who: Actor, configuration?: object) =>
  done(
    send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status, reason: REASON, configuration }, undefined, who),
  );
async function approve(assetId: string, approvedUntil: string | null = null) {
  await govern(assetId, "under_review", world.a.actors.operator);
  await govern(assetId, "approved", world.a.actors.approver, { approvedUntil });
}
const tagOf = ({ version }: { version: number }) => `"${version}"`;

describe.each(PATHS)("a record of %s whose asset is decided about", (path) => {
  it("shows the decision under a new version, and is said to be changed by nobody", async () => {
    const seen = await create(path);
    await approve(seen.assetId);
    const now = await read(`${path}/${seen.id}`);
    expect(now).toEqual({ ...seen, governanceState: "approved", version: seen.version + 2 });
    const cached = await world.send("GET", `${path}/${seen.id}`, {
      token: world.a.owner.token,
      headers: { "if-none-match": tagOf(seen) },
    });
    expect(cached.status).toBe(200);
  });

  it("takes a change by the version from before the decision, also of the whole body that was read", async () => {
    const seen = await create(path);
    await approve(seen.assetId);
    const changed = await done(send("PUT", `${path}/${seen.id}`, { ...seen, description: "changed" }, tagOf(seen)));
    expect(changed).toMatchObject({ description: "changed", governanceState: "approved" });
    expect(changed.editVersion).toBeLessThanOrEqual(changed.version);
    expect(changed).toEqual(await read(`${path}/${seen.id}`));
  });

  it("refuses the versions from before a change of somebody else, whatever is decided afterwards", async () => {
    const seen = await create(path);
    await approve(seen.assetId);
    const between = await read(`${path}/${seen.id}`);
    await done(send("PUT", `${path}/${seen.id}`, { metadata: { by: "another" } }));
    await govern(seen.assetId, "under_review", world.a.actors.operator);
    for (const version of [seen, between]) {
      const { status, json } = await send("PUT", `${path}/${seen.id}`, { description: "late" }, tagOf(version));
      expect([status, json.code]).toEqual([412, "precondition_failed"]);
    }
    expect((await read(`${path}/${seen.id}`)).description).toBe("");
    const next = tagOf({ version: (await read(`${path}/${seen.id}`)).version + 1 });
    expect((await send("PUT", `${path}/${seen.id}`, {}, next)).status).toBe(412);
  });

  it("refuses the versions from before what it shares with its asset was changed there, or its status", async () => {
    const seen = await create(path);
    await done(send("PUT", `${ASSETS}/${seen.assetId}`, { description: "of the asset" }));
    expect((await send("PUT", `${path}/${seen.id}`, {}, tagOf(seen))).status).toBe(412);
    const later = await read(`${path}/${seen.id}`);
    await govern(seen.assetId, "suspended", world.a.owner);
    expect((await send("PUT", `${path}/${seen.id}`, {}, tagOf(later))).status).toBe(412);
  });

  it("refuses what is decided when it is sent as a change", async () => {
    const seen = await create(path);
    await approve(seen.assetId);
    for (const tag of [undefined, tagOf(await read(`${path}/${seen.id}`))])
      expect((await send("PUT", `${path}/${seen.id}`, { governanceState: "rejected" }, tag)).json.code).toBe(
        "read_only_property",
      );
  });
});

describe.each(PATHS)("a record of %s whose approval has run out", (path) => {
  it("answers changes as it is read, before any tick, and takes back the body that was read", async () => {
    const { id, assetId } = await create(path);
    await approve(assetId, new Date(world.clock.now() + HOUR).toISOString());
    world.clock.advance(HOUR);
    const shown = await send("GET", `${path}/${id}`);
    expect(shown.json.governanceState).toBe("expired");
    const same = await done(send("PUT", `${path}/${id}`, shown.json, shown.headers.etag));
    expect(same).toMatchObject({ governanceState: "expired", updatedBy: shown.json.updatedBy });
    expect(same).toEqual(await read(`${path}/${id}`));
    const changed = await done(send("PUT", `${path}/${id}`, { metadata: { changed: true } }, shown.headers.etag));
    expect(changed).toMatchObject({ governanceState: "expired", metadata: { changed: true } });
    expect(await read(`${ASSETS}/${assetId}`)).toMatchObject({ governanceState: "expired", updatedBy: "system" });
    await world.controlPlane.tick();
    expect(await read(`${path}/${id}`)).toEqual(changed);
  });
});

describe("a record that time changes by itself", () => {
  it.each([
    ["/api/v1/ai/identities", { credentialExpiresAt: HOUR }],
    ["/api/v1/ai/models", { providerRetirementAt: HOUR }],
  ])("at %s takes back the body that was read, before any tick", async (path, due) => {
    const moments = Object.entries(due).map(([field, ms]) => [field, new Date(world.clock.now() + ms).toISOString()]);
    const { id } = await done(send("POST", path, Object.fromEntries(moments)));
    world.clock.advance(HOUR);
    const json = await read(`${path}/${id}`);
    const changed = await done(send("PUT", `${path}/${id}`, { ...json, metadata: { changed: true } }));
    expect(changed).toEqual(await read(`${path}/${id}`));
    expect(changed.version).toBe(json.version + 2);
  });

  it("refuses other values of read-only fields than those that were read", async () => {
    const path = "/api/v1/ai/models";
    const providerRetirementAt = new Date(world.clock.now() + HOUR).toISOString();
    const { id, version } = await done(send("POST", path, { providerRetirementAt }));
    world.clock.advance(HOUR);
    const { json } = await send("PUT", `${path}/${id}`, { version: version + 1 });
    expect([json.code, json.errors[0].pointer]).toEqual(["read_only_property", "/version"]);
    expect((await read(`${path}/${id}`)).version).toBe(version);
  });
});
