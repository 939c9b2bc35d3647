import type { Connector } from "@reeve/core/connectors";
import { type Answer, createPlane, createTenant, newAssignment, newTarget, ScriptedAccess } from "@reeve/testkit";
import { expect } from "vitest";

export const REASON = { reason: "because a test wants it so" };

/** A real system under access governance, and one assignment in it whose reconciliation has not run yet. */
export interface Governed {
  readonly act: (verb: string, body?: object) => Promise<Answer>;
  readonly read: () => Promise<Readonly<Record<string, unknown>>>;
  readonly tick: () => Promise<unknown>;
  readonly advance: (milliseconds: number) => void;
  /** Compares the system with what was granted. Returns the scan, and the differences that are not over. */
  readonly compare: () => Promise<{ readonly scan: Json; readonly drift: readonly Json[] }>;
  readonly repairDrift: (id: unknown, body: object) => Promise<Answer>;
}

type Json = Readonly<Record<string, unknown>>;

interface Wanted {
  readonly connector: Connector;
  readonly configuration: object;
  readonly secrets?: object;
  readonly resourceType: string;
  readonly resource: string;
  readonly profile: string;
  readonly principal: { readonly type: string; readonly externalId: string };
}

/** Connects a system, reads what it offers, approves a profile, and stores an assignment of it that was decided. */
export async function governed({ connector, configuration, secrets = {}, ...wanted }: Wanted): Promise<Governed> {
  const { resourceType, principal } = wanted;
  const connectors = [connector, new ScriptedAccess().connector];
  const plane = createPlane({ connectors, egressAllow: ["127.0.0.1/32"], tokenLifetime: 86_400 });
  const scene = await createTenant(plane, "governed");
  const { token } = scene.owner;
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await plane.send(method, path, { token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const { providerKey } = connector.manifest;
  const connectorInstanceId = await newTarget(scene, { providerKey, configuration, secrets });
  const target = `/api/v1/access-targets/${connectorInstanceId}`;
  await ok("POST", `${target}/resources/sync?resourceType=${resourceType}`);
  await plane.controlPlane.tick();
  const found = async (what: string, externalId: string) => {
    const { items } = await ok("GET", `${target}/${what}?size=100`);
    const one = items.find((item: { externalId: string }) => item.externalId === externalId);
    expect(one, `${what} ${externalId} among ${JSON.stringify(items)}`).toBeDefined();
    return one;
  };
  const resource = await found("resources", wanted.resource);
  const profile = await found("access-profiles", wanted.profile);
  await ok("POST", `/api/v1/access-profiles/${profile.id}/approve`, { definitionHash: profile.definitionHash });
  const assetId = await scene.newAsset();
  const actsAs = { connectorInstanceId, principal: { ...principal, displayName: principal.externalId } };
  const declared = await ok("POST", `/api/v1/ai-assets/${assetId}/access-identities`, actsAs);
  const { id: identityId } = declared;
  const { id } = await newAssignment(scene, {
    ...{ assetId, identityId, connectorInstanceId, resourceId: resource.id, accessProfileId: profile.id },
    ...{ resource: { type: resourceType, externalId: wanted.resource }, profileExternalId: wanted.profile },
    ...{ principal: declared.principal, parameters: {}, externalGrantId: null },
    ...{ grantKey: `grant of ${wanted.resource} to ${principal.externalId}`, approvedHash: profile.definitionHash },
  });
  const at = `/api/v1/access-assignments/${id}`;
  return {
    act: (verb, body) => plane.send("POST", `${at}/${verb}`, { token, ...(body ? { body } : {}) }),
    read: () => ok("GET", at),
    tick: () => plane.controlPlane.tick(),
    advance: (milliseconds) => plane.clock.advance(milliseconds),
    async compare() {
      plane.clock.advance(1_000);
      const begun = await ok("POST", `${target}/drift-scan`);
      await plane.controlPlane.tick();
      const scan = await ok("GET", `${target}/drift-scans/${begun.id}`);
      const standing = "status=open,suspected,repairing";
      return { scan, drift: (await ok("GET", `/api/v1/access-drift?${standing}`)).items };
    },
    repairDrift: (driftId, body) => plane.send("POST", `/api/v1/access-drift/${driftId}/repair`, { token, body }),
  };
}

/** Has a real system grant, lose and take away access, and looks into it with eyes of its own after each step. */
export async function grantsAndRevokes(one: Governed, has: () => Promise<boolean>, lose: () => Promise<unknown>) {
  expect(await has()).toBe(false);
  expect((await one.act("repair", { ...REASON, action: "grant" })).json).toMatchObject({
    action: "grant",
    presence: "absent",
  });
  await one.tick();
  expect([await has(), (await one.read()).targetState]).toEqual([true, "present"]);
  expect((await one.act("verify")).json).toMatchObject({ presence: "present", authoritative: true });
  await lose();
  expect((await one.act("verify")).json).toMatchObject({ presence: "absent", targetState: "absent" });
  await one.act("repair", { ...REASON, action: "grant" });
  await one.tick();
  expect(await has()).toBe(true);
  expect((await one.act("revoke", REASON)).json).toMatchObject({ status: "revoking", effective: false });
  await one.tick();
  expect([await has(), await one.read()]).toMatchObject([false, { status: "revoked", targetState: "absent" }]);
}
