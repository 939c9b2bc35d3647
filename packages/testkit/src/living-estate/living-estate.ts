import type { ControlPlaneConfig } from "@reeve/core";
import { clientOf } from "../world/client.js";
import { createPlane, type World } from "../world/world.js";
import { governAccess } from "./access.js";
import { type Registered, registerAssets } from "./assets.js";
import { type LivingClock, livingClock, passDays } from "./clock.js";
import { askForAction, enforcePolicies, moveAssets, promoteAssets, reviewAssets } from "./decisions.js";
import { hire, type Staff, signInAgain } from "./people.js";
import { changeTools, connectServers } from "./servers.js";
import { startSessions } from "./sessions.js";

/** An organisation that has used Reeve for a month. */
export interface LivingEstate {
  readonly tenantId: string;
  /** Its people by what they do, each with the password to sign in by. */
  readonly staff: Staff;
  /** Ids of assets by their names. */
  readonly assetIds: ReadonlyMap<string, string>;
  /** Ids of typed records, such as `mcp_…`, by the same names. */
  readonly recordIds: ReadonlyMap<string, string>;
}

type Plane = Pick<World, "controlPlane" | "mcp" | "access"> & { readonly clock: LivingClock };

/**
 * Makes an organisation through published operations only: people of each role, some forty assets of four teams, MCP servers of
 * which one has drifted, policies and their findings, access to a code host, a certification of it, sessions that run, and
 * something of every kind that waits. It moves the clock on by `LIVED`.
 */
export async function livingEstate({ controlPlane, mcp, access, clock }: Plane): Promise<LivingEstate> {
  const send = clientOf(controlPlane);
  const { tenantId, ...staff } = await hire(send);
  const made: Registered = { assetIds: new Map(), recordIds: new Map() };
  const tick = () => controlPlane.tick();
  const pass = async (days: number) => {
    passDays(clock, days);
    await signInAgain(staff);
  };
  await connectServers(staff, mcp, made);
  await registerAssets(staff, made);
  await pass(5);
  await reviewAssets(staff, made);
  await promoteAssets(staff, made);
  await pass(10);
  await enforcePolicies(staff);
  const watchAccess = await governAccess(staff, access, made, tick);
  await pass(12);
  await moveAssets(staff, made);
  await pass(2);
  await changeTools(staff, mcp, made);
  await pass(1);
  await watchAccess();
  await startSessions(staff, made);
  await askForAction(staff, made);
  return { tenantId, staff, ...made };
}

/** A control plane for tests with a living estate, which ends at the present. */
export async function livingPlane(config: Partial<ControlPlaneConfig> = {}) {
  const clock = livingClock();
  const plane = { ...createPlane({ clock, ...config }), clock };
  return { ...plane, estate: await livingEstate(plane) };
}
