import type { ControlPlane, ControlPlaneConfig } from "@reeve/core";
import { createPlane, createScene, type Scene } from "../world/index.js";

/**
 * The data that requests use. Preparing it again gives the same, except for sealed and signed values: tokens and
 * cursors.
 */
export interface Setting {
  /** Tokens of this tenant. */
  readonly owner: string;
  readonly member: string;
  readonly auditor: string;
  /** A token that expired two hours ago. */
  readonly expired: string;
  /** A token of the other tenant's owner. */
  readonly stranger: string;
  readonly assetId: string;
  /** An asset of the other tenant. */
  readonly foreignId: string;
  readonly eventId: string;
  readonly memberId: string;
  readonly ownerCredentials: { readonly username: string; readonly password: string };
  /** The hosts of the tenant and of the other one. */
  readonly host: string;
  readonly foreignHost: string;
  /** The cursor of the second page of the tenant's activity, with one event per page. */
  readonly cursor: string;
}

/** A control plane in memory with two tenants, a clock that stands still and ids that count up. */
export async function prepare(
  config: Partial<ControlPlaneConfig>,
): Promise<{ controlPlane: ControlPlane; setting: Setting }> {
  const plane = createPlane(config);
  const a = await createScene(plane, "contract");
  const b = await createScene(plane, "elsewhere");
  const expired = a.owner.token;
  plane.clock.advance(2 * 3_600_000);
  const owner = await renew(a, "owner");
  const assetId = await a.newAsset({}, owner);
  const hostOf = async (token: string) =>
    new URL((await plane.send("GET", "/api/v1/tenant/domain", { token })).json.tenantUrl).host;
  const stranger = (await renew(b, "owner")).token;
  const ask = async (path: string) => (await plane.send("GET", path, { token: owner.token })).json;
  const setting: Setting = {
    owner: owner.token,
    member: (await renew(a, "member")).token,
    auditor: (await renew(a, "auditor")).token,
    expired,
    stranger,
    assetId,
    foreignId: await b.newAsset({}, await renew(b, "owner")),
    eventId: (await ask(`/api/v1/ai-assets/${assetId}/activity`)).items[0].id,
    memberId: a.actors.member.userId,
    ownerCredentials: { username: owner.username, password: owner.password },
    host: await hostOf(owner.token),
    foreignHost: await hostOf(stranger),
    cursor: (await ask("/api/v1/ai/activity?size=1")).nextCursor,
  };
  return { controlPlane: plane.controlPlane, setting };
}

async function renew(scene: Scene, role: "owner" | "member" | "auditor") {
  const { userId, username, password } = scene.actors[role];
  return scene.signIn(userId, { username, password });
}
