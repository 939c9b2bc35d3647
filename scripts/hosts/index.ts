import { FRAMEWORKS } from "./frameworks.js";
import type { Host } from "./host.js";
import { NEST } from "./nest.js";
import { RUNTIMES } from "./runtimes.js";

export { hostFaults, install, placeSqlite } from "./run-host.js";

/** Every host of the guide to frameworks, as a newcomer makes it. */
export const HOSTS: readonly Host[] = [...NEST, ...FRAMEWORKS, ...RUNTIMES];
