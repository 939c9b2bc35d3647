import { defineFamily } from "../../kernel/family.js";
import { findings } from "./findings/schema.js";

export { FINDING_STATUSES, Finding, findings, SEVERITIES } from "./findings/schema.js";

/** What governance keeps about the estate. */
export const governance = defineFamily({ name: "governance", collections: [findings], machines: [], operations: [] });
