import type { Collection } from "../kernel/collection.js";
import type { Family } from "../kernel/family.js";
import type { Machine } from "../kernel/machine.js";
import { activity } from "./activity/index.js";
import { estate } from "./estate/index.js";
import { governance } from "./governance/index.js";
import { identity } from "./identity/index.js";
import { overview } from "./overview/index.js";
import { platform } from "./platform/index.js";
import { support } from "./support/index.js";

/** Every family, in the order the reference shows them. A new family is added here and nowhere else. */
export const families = [
  identity,
  platform,
  support,
  estate,
  governance,
  activity,
  overview,
] as const satisfies readonly Family[];

/** Every operation there is. */
export const operations = [
  ...identity.operations,
  ...platform.operations,
  ...support.operations,
  ...estate.operations,
  ...governance.operations,
  ...activity.operations,
  ...overview.operations,
] as const;

// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
export const collections: readonly Collection<any>[] = families.flatMap((family) => family.collections);

export const machines: readonly Machine[] = families.flatMap((family) => family.machines);
