import { defineFamily } from "../../kernel/family.js";
import { runSql } from "./sql/operations.js";

/** What the provider does for and to tenants. */
export const support = defineFamily({ name: "support", collections: [], machines: [], operations: [runSql] });
