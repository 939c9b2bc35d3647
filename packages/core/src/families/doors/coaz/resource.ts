import { defineResource } from "#families/resource.js";
import { askCoaz } from "./operations.js";

/** Decisions about messages of MCP, by the mappings of COAZ. */
export const coazResource = defineResource({ operations: [askCoaz] });
