import { type ControlPlane, ReeveError } from "@reeve/core";
import { Failure } from "../failure.js";
import { createCommandLog } from "../log.js";
import { makeReady, openControlPlane, usable } from "../service/control-plane.js";
import type { Settings } from "../settings/settings.js";

/** Runs work with a control plane without a server, then closes it. Refusals become a `Failure`. */
export async function withControlPlane<T>(
  settings: Settings,
  work: (controlPlane: ControlPlane) => Promise<T>,
): Promise<T> {
  const controlPlane = await openControlPlane(settings, createCommandLog(settings.logLevel));
  try {
    await makeReady(controlPlane, settings);
    return await work(controlPlane);
  } catch (error) {
    if (ReeveError.is(error)) throw new Failure(`${error.code}: ${error.message}`);
    throw error;
  } finally {
    await controlPlane.close();
  }
}

/** The same for work that a restored database permits before what it brought back is ended. */
export async function withRestored<T>(
  settings: Settings,
  work: (controlPlane: ControlPlane) => Promise<T>,
): Promise<T> {
  const controlPlane = await openControlPlane(settings, createCommandLog(settings.logLevel));
  try {
    return await usable(settings, work(controlPlane));
  } finally {
    await controlPlane.close();
  }
}
