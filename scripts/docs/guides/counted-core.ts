import { type ControlPlane, type ControlPlaneConfig, createControlPlane as create } from "@reeve/core";
import { afterPage } from "./acme.js";
import { counted } from "./calls.js";

export * from "@reeve/core";

/** In place of core's in a page that is played: it is counted how often the control plane is asked. */
export function createControlPlane(config: ControlPlaneConfig): ControlPlane {
  const controlPlane = counted(create(config));
  afterPage(() => controlPlane.close());
  return controlPlane;
}
