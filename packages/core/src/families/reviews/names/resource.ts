import { defineResource } from "#families/resource.js";
import { listNames } from "./operations.js";

/** Names in place of ids. */
export const namesResource = defineResource({ operations: [listNames] });
