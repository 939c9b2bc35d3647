import { type AccessAccount, newTarget, repository, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Bench } from "../../helpers/access.js";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const REASON = { reason: "The team keeps its access by hand." };
const ask = (method: string, path: string, body?: object, as = world.a.owner) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const ok = async (method: string, path: string, body?: object) => {
  const answer = await ask(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const at = ({ connectorInstanceId }: Pick<Bench, "connectorInstanceId">, id: string) =>
  `/api/v1/access-targets/${connectorInstanceId}/resources/${id}`;
const mark = (bench: Bench, managedMark: string, id = bench.resourceId) =>
  ok("PATCH", at(bench, id), { managedMark, ...REASON });

/** Resources of a target after a sync, by their ids there. */
async function synced(account: AccessAccount, connectorInstanceId: string) {
  const path = `/api/v1/access-targets/${connectorInstanceId}/resources`;
  world.clock.advance(1_000);
  await ok("POST", `${path}/sync?resourceType=repository`);
  await world.controlPlane.tick();
  const { items } = await ok("GET", `${path}?size=100`);
  expect(items.length).toBe(account.resources.length);
  return new Map<string, { id: string; [field: string]: unknown }>(
    items.map((one: { id: string; externalId: string }) => [one.externalId, one]),
  );
}

describe("a resource of a target", () => {
  it("keeps what people say of it, whatever a sync reads", async () => {
    const name = world.a.unique();
    const account = world.access.account(name);
    account.resources = [repository("r1", { labels: ["payments", "critical", "payments"] })];
    const connectorInstanceId = await newTarget(world.a, { name, configuration: { account: name } });
    const before = (await synced(account, connectorInstanceId)).get("r1");
    expect(before).toMatchObject({ labels: ["critical", "payments"], ownerIds: [], managedMark: "inherit" });
    const path = at({ connectorInstanceId }, before?.id ?? "");
    const ownerIds = [world.a.owner.userId];
    await ok("PATCH", path, { ownerIds, managedMark: "unmanaged", ...REASON });
    account.resources = [repository("r1", { name: "Another name", labels: ["retired"] })];
    await synced(account, connectorInstanceId);
    expect(await ok("GET", path)).toMatchObject({
      ...{ name: "Another name", labels: ["retired"], ownerIds, managedMark: "unmanaged" },
    });
    expect((await ok("GET", `${path.replace(/\/[^/]*$/, "")}?managedMark=unmanaged`)).items).toHaveLength(1);
  });

  it("is changed by nobody who may not, in no other tenant, and not under another target", async () => {
    const bench = await requestBench(world);
    const path = at(bench, bench.resourceId);
    expect((await ask("PATCH", path, { ownerIds: [] }, bench.requester)).status).toBe(403);
    expect((await ask("PATCH", path, { ownerIds: [] }, world.b.owner)).status).toBe(404);
    const other = await requestBench(world);
    expect((await ask("PATCH", at(other, bench.resourceId), { ownerIds: [] })).status).toBe(404);
    expect((await ask("GET", at(other, bench.resourceId))).status).toBe(404);
  });

  it.each([
    [{ managedMark: "unmanaged" }, "missing_reason"],
    [{ managedMark: "left alone", ...REASON }, "invalid_request"],
    [{ ownerIds: ["usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M"] }, "invalid_reference"],
    [{ externalId: "other" }, "invalid_request"],
  ])("is not changed by %j", async (body, code) => {
    const bench = await requestBench(world);
    const refused = await ask("PATCH", at(bench, bench.resourceId), body);
    expect([refused.status, refused.json.code]).toEqual([400, code]);
    expect(await ok("GET", at(bench, bench.resourceId))).toMatchObject({ managedMark: "inherit", ownerIds: [] });
  });
});

describe("a resource that is unmanaged", () => {
  it("cannot be asked for, and what was approved for it waits", async () => {
    const bench = await requestBench(world);
    const waiting = await bench.asked("pending_approval");
    await mark(bench, "unmanaged");
    const refused = await bench.ask({
      items: [{ accessProfileId: bench.writeProfileId, resourceId: bench.resourceId }],
    });
    expect(refused.json).toMatchObject({ status: 409, code: "not_requestable", notRequestableReason: "unmanaged" });
    await bench.approve(waiting.id);
    await bench.tick();
    expect(bench.account.held.size).toBe(0);
    await mark(bench, "inherit");
    await bench.tick(2 * HOUR);
    expect(bench.account.held.size).toBe(1);
  });

  it("is not written to for a grant that was decided before, nor for its end", async () => {
    const bench = await requestBench(world);
    const granted = await bench.decide({ duration: "P10D" });
    await bench.tick();
    expect(bench.account.held.size).toBe(1);
    await mark(bench, "unmanaged");
    const later = await bench.decide({ parameters: { path: "docs" } });
    await bench.act(granted, "revoke", { reason: "The agent does not need it." });
    await bench.tick(2 * HOUR);
    expect(bench.account.held.size).toBe(1);
    expect((await bench.read(granted)).status).toBe("revoke_failed");
    expect((await bench.read(later)).status).toBe("pending");
    await mark(bench, "managed");
    await bench.tick();
    expect((await bench.read(granted)).status).toBe("revoked");
    expect((await bench.read(later)).status).toBe("active");
  });

  it("is what lies in it too, unless that says otherwise", async () => {
    const bench = await requestBench(world);
    const inside = (externalId: string, parent: string) =>
      repository(externalId, { parent: { type: "repository", externalId: parent } });
    bench.account.resources = [
      repository("repo"),
      inside("below", "repo"),
      inside("deep", "below"),
      inside("apart", "below"),
      inside("lost", "nowhere"),
      ...Array.from({ length: 12 }, (_, at) => inside(`level${at + 1}`, at === 0 ? "apart" : `level${at}`)),
      inside("ring", "round"),
      inside("round", "ring"),
    ];
    const all = await synced(bench.account, bench.connectorInstanceId);
    const id = (externalId: string) => all.get(externalId)?.id ?? "";
    await mark(bench, "unmanaged");
    await mark(bench, "managed", id("apart"));
    const answer = async (externalId: string) =>
      (await bench.ask({ items: [{ accessProfileId: bench.accessProfileId, resourceId: id(externalId) }] })).status;
    const asked = ["repo", "below", "deep", "apart", "lost", "level9"];
    expect(await Promise.all(asked.map(answer))).toEqual([409, 409, 409, 200, 200, 200]);
    // Nobody can tell what these follow.
    expect(await Promise.all(["ring", "level12"].map(answer))).toEqual([409, 409]);
  });

  it("is reported on like others, and repaired by nobody", async () => {
    const bench = await requestBench(world);
    for (const path of ["docs", "code"]) await bench.decide({ duration: "P10D", parameters: { path } });
    await bench.tick();
    await mark(bench, "unmanaged");
    const [gone] = bench.account.held.keys();
    bench.account.held.delete(gone ?? "");
    for (let look = 0; look < 2; look += 1) {
      await ok("POST", `/api/v1/access-targets/${bench.connectorInstanceId}/drift-scan`);
      await bench.tick(HOUR / 2);
    }
    const { items } = await ok("GET", `/api/v1/access-drift?connectorInstanceId=${bench.connectorInstanceId}`);
    expect(items).toMatchObject([{ kind: "missing_in_target", status: "open" }]);
    const repair = await ask("POST", `/api/v1/access-drift/${items[0].id}/repair`, { action: "grant", ...REASON });
    expect([repair.status, repair.json.code]).toEqual([409, "transition_guard_failed"]);
  });
});

describe("owners of a resource", () => {
  it("approve access to it where a policy asks them, and those of the connection where it has none", async () => {
    const bench = await requestBench(world, { stages: [{ approvers: [{ kind: "resource_owner" }] }] });
    const candidates = async () => {
      const { id, stages } = await bench.asked("pending_approval");
      await bench.verb(id, "cancel", bench.requester, REASON);
      return stages[0]?.candidates.map(({ userId }) => userId);
    };
    const connection = `/api/v1/connector-instances/${bench.connectorInstanceId}`;
    await ok("PATCH", connection, { ownerIds: [bench.second.userId] });
    expect(await candidates()).toEqual([bench.second.userId]);
    await ok("PATCH", at(bench, bench.resourceId), { ownerIds: [bench.first.userId, bench.requester.userId] });
    expect(await candidates()).toEqual([bench.first.userId]);
  });
});
