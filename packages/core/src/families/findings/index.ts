import { defineFamily } from "../../kernel/family.js";
import { findings } from "./schema.js";

export { FINDING_STATUSES, Finding, findings, SEVERITIES } from "./schema.js";

/** What is wrong with assets: apart from governance, which finds it, since the estate reads it too. */
export const findingsFamily = defineFamily({ name: "findings", collections: [findings], machines: [], operations: [] });
