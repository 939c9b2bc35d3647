import { defineService } from "../config/environment.js";
import type { KernelOptions } from "../config/options.js";
import type { Collection } from "../records/collection.js";
import type { Operation } from "./operation.js";

/** The mounted operations and the collections, for operations that describe others. */
export interface OperationTable {
  readonly operations: readonly Operation[];
  // biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
  readonly collections: readonly Collection<any>[];
  /** The published tags in their order, each with its description. */
  readonly tags: Readonly<Record<string, string>>;
  /** The licensed capabilities, each with its description. */
  readonly capabilities: Readonly<Record<string, string>>;
}

/** The operation table of a control plane. Empty in an environment without one. */
export const tableOf = defineService<OperationTable>("kernel.table", () => ({
  operations: [],
  collections: [],
  tags: {},
  capabilities: {},
}));

/** The table that these options mount. */
export function composeTable({ operations, ...words }: OperationTable, options: Mounts): OperationTable {
  return {
    ...words,
    operations: operations.filter((operation) => isMounted(operation, options)),
  };
}

type Mounts = Pick<KernelOptions, "rootRoutes" | "reference" | "console" | "doors">;

function isMounted({ mount }: Operation, { rootRoutes, reference, console, doors }: Mounts): boolean {
  const asked = { root: rootRoutes, reference: reference !== false, console: console !== false, doors };
  return mount === undefined || [mount].flat().some((one) => asked[one]);
}
