import type { Actor, World } from "@reeve/testkit";
import { sampleOf, table } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const sample = (id: string) => sampleOf(table.find((one) => one.id === id) as (typeof table)[number]);
const arranged = async <T>(id: string) => (await sample(id).arrange?.(world.a)) as T;

const send = (method: string, path: string, who: Actor, body: object) =>
  world.send(method, path, { token: who.token, body, headers: method === "POST" ? {} : { "if-match": "*" } });
const assigning = [403, "permission_denied"];
const appointing = [403, "self_appointment_forbidden"];

/** A target with a resource, of which the owner of the tenant is the owner, and the doors to the owners of both. */
async function target() {
  const { a } = world;
  const { connectorInstanceId, resourceId } = await arranged<{
    readonly connectorInstanceId: string;
    readonly resourceId: string;
  }>("accessTargets.patchResource");
  const connection = `/api/v1/connector-instances/${connectorInstanceId}`;
  await send("PATCH", connection, a.actors.admin, { ownerIds: [a.owner.userId] });
  return {
    connection,
    integration: `/api/v1/integrations/${connectorInstanceId}`,
    resource: `/api/v1/access-targets/${connectorInstanceId}/resources/${resourceId}`,
  };
}

describe("the owner of a connection, and of a resource of it", () => {
  it("is named by no one who only sets up connections, and by nobody for themself", async () => {
    const { operator, governance_officer: officer, member, approver } = world.a.actors;
    const { connection, integration, resource } = await target();
    for (const path of [connection, integration, resource]) {
      const said = async (who: Actor, ...ownerIds: string[]) => {
        const { status, json } = await send("PATCH", path, who, { ownerIds });
        return status === 200 ? [status, json.ownerIds] : [status, json.code];
      };
      expect(await said(operator, operator.userId)).toEqual(assigning);
      expect(await said(operator, approver.userId)).toEqual(assigning);
      if (path !== resource) expect(await said(officer, officer.userId)).toEqual(assigning);
      expect(await said(world.a.actors.admin, world.a.actors.admin.userId)).toEqual(appointing);
      expect(await said(world.a.actors.admin, member.userId)).toEqual([200, [member.userId]]);
    }
  });

  it("hands the office over to active users only, and may name others beside", async () => {
    const { operator, admin } = world.a.actors;
    const { connection } = await target();
    await send("PATCH", connection, admin, { ownerIds: [operator.userId] });
    const gone = await world.a.newUser(["member"]);
    await send("PATCH", `/api/v1/users/${gone.userId}`, world.a.owner, { status: "disabled", reason: "left" });
    for (const id of [gone.userId, "ada@acme.example", world.b.owner.userId]) {
      const refused = await send("PATCH", connection, operator, { ownerIds: [operator.userId, id] });
      expect([refused.status, refused.json.code]).toEqual([400, "invalid_reference"]);
    }
    const handed = await send("PATCH", connection, operator, { ownerIds: [operator.userId, admin.userId] });
    expect([handed.status, handed.json.ownerIds]).toEqual([200, [operator.userId, admin.userId]]);
  });

  it("approves no access for having appointed oneself", async () => {
    const { a } = world;
    const { operator, member, governance_officer: officer } = a.actors;
    const { assetId } = await arranged<{ readonly assetId: string }>("accessRequests.create");
    const body = sample("accessRequests.create").body?.(a, a.owner) as { readonly connectorInstanceId: string };
    const stages = [{ approvers: [{ kind: "target_owner" }], fallback: [{ kind: "role", id: "governance_officer" }] }];
    const covers = { connectorInstanceIds: [body.connectorInstanceId] };
    await send("POST", "/api/v1/access-policies", officer, { name: a.unique(), priority: 900, covers, stages });
    const path = `/api/v1/connector-instances/${body.connectorInstanceId}`;
    expect((await send("PATCH", path, operator, { ownerIds: [operator.userId] })).status).toBe(403);
    const asked = await send("POST", `/api/v1/ai-assets/${assetId}/access-requests`, member, body);
    const decision = { expectedScopeHash: asked.json.scopeHash, reason: "It is fine with me." };
    const approved = await send("POST", `/api/v1/access-requests/${asked.json.id}/approve`, operator, decision);
    expect(approved.status, approved.text).toBe(403);
  });
});
