import { foundation } from "./foundation.js";
import type { Migration } from "./migration.js";

/** Every migration of Reeve itself, oldest first. */
export const migrations: readonly Migration[] = [foundation];
