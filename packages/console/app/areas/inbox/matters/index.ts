import type { Review } from "../kinds.js";
import { ACCESS_MATTERS } from "./access.js";
import { ESTATE_MATTERS } from "./estate.js";
import { FINDING_MATTERS } from "./findings.js";
import { GOVERNANCE_MATTERS } from "./governance.js";
import type { OpenMatter } from "./matter.js";

/** How each kind of review is read, shown and decided. */
export const MATTERS: Readonly<Record<Review["kind"], OpenMatter>> = {
  ...ESTATE_MATTERS,
  ...FINDING_MATTERS,
  ...GOVERNANCE_MATTERS,
  ...ACCESS_MATTERS,
};
