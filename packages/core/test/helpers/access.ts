import {
  type AccessAccount,
  type Answer,
  newAccessIdentity,
  newTarget,
  repository,
  repositoryProfile,
  type World,
} from "@reeve/testkit";
import { expect } from "vitest";
import { type DecidedAccess, provision } from "#families/access-grants/assignments/provision-assignment.js";
import type { ShownAssignment } from "#families/access-grants/assignments/view-assignment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { environmentOf } from "./environment.js";

/** A target with one repository, an approved profile, and an asset that acts as somebody there. */
export interface Bench {
  readonly account: AccessAccount;
  readonly connectorInstanceId: string;
  readonly assetId: string;
  readonly identityId: string;
  readonly resourceId: string;
  readonly accessProfileId: string;
  /** Stores access that was decided, for an hour unless `more` says otherwise. Returns its id. */
  readonly decide: (more?: Partial<DecidedAccess>) => Promise<string>;
  readonly read: (id: string) => Promise<ShownAssignment>;
  readonly act: (id: string, verb: string, body?: object) => Promise<Answer>;
}

/** Sets up access in the world's first tenant. `more` is of its connection, and `asset` of its asset. */
export async function accessBench(
  world: World,
  more: Readonly<Record<string, unknown>> = {},
  asset: Readonly<Record<string, unknown>> = {},
): Promise<Bench> {
  const { a } = world;
  const name = a.unique();
  const account = world.access.account(name);
  account.resources = [repository("repo")];
  account.profiles = [repositoryProfile("read"), repositoryProfile("write", { privilegeLevel: 2 })];
  const connectorInstanceId = await newTarget(a, { name, configuration: { account: name }, ...more });
  const path = `/api/v1/access-targets/${connectorInstanceId}`;
  const ok = async (method: string, at: string, body?: object) => {
    const answer = await world.send(method, at, { token: a.owner.token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  await ok("POST", `${path}/resources/sync?resourceType=repository`);
  await world.controlPlane.tick();
  const profiles = (await ok("GET", `${path}/access-profiles`)).items;
  for (const { id, definitionHash } of profiles)
    await ok("POST", `/api/v1/access-profiles/${id}/approve`, { definitionHash });
  const profile = profiles.find((one: { externalId: string }) => one.externalId === "read");
  const [resource] = (await ok("GET", `${path}/resources`)).items;
  const assetId = await a.newAsset(asset);
  const identityId = await newAccessIdentity(a, assetId, connectorInstanceId);
  account.calls.length = 0;
  const bench = {
    account,
    connectorInstanceId,
    assetId,
    identityId,
    resourceId: resource.id,
    accessProfileId: profile.id,
  };
  const decided: DecidedAccess = {
    ...{
      requestId: null,
      source: "request",
      assetId,
      identityId,
      accessProfileId: profile.id,
      resourceId: resource.id,
    },
    ...{ parameters: {}, isPermanent: false, duration: "PT1H", expiresAt: null },
  };
  return {
    ...bench,
    async decide(given = {}) {
      const ctx = systemContext(environmentOf(world, { ids: world.ids }), a.tenantId, "test");
      const [made] = await ctx.write((inner) => provision(inner, [{ ...decided, ...given }]));
      return made?.id as string;
    },
    read: (id) => ok("GET", `/api/v1/access-assignments/${id}`) as Promise<ShownAssignment>,
    act: (id, verb, body) =>
      world.send("POST", `/api/v1/access-assignments/${id}/${verb}`, {
        token: a.owner.token,
        ...(body ? { body } : {}),
      }),
  };
}
