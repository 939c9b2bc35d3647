import * as testkit from "@reeve/testkit";
import type { ControlPlaneConfig } from "../../src/index.js";
import { emptyStore } from "./stores.js";

/** The test world of `@reeve/testkit`, on a store of the kind that this run of the file is about. */
export async function createWorld(config: Partial<ControlPlaneConfig> = {}): Promise<testkit.World> {
  return testkit.createWorld({ ...config, store: config.store ?? (await emptyStore()) });
}
