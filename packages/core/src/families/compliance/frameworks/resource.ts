import { controlCatalogs } from "#families/governance/index.js";
import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { deleteFramework, listFrameworks, readFramework, replaceFramework } from "./operations.js";
import { controlsOf } from "./read/find.js";
import { ownFrameworks } from "./schema.js";

/** Frameworks and their controls, built-in and own. */
export const frameworksResource = defineResource({
  collections: [ownFrameworks],
  operations: [listFrameworks, readFramework, replaceFramework, deleteFramework],
  extends: [extend(controlCatalogs, controlsOf)],
});
