import { ACCESS_MATTERS } from "./access-matters.js";
import { ESTATE_MATTERS } from "./estate-matters.js";
import { FINDING_MATTERS } from "./finding-matters.js";
import { GOVERNANCE_MATTERS } from "./governance-matters.js";
import type { OpenMatter, Review } from "./matter.js";

/** How each kind of review is read and decided. */
export const MATTERS: Readonly<Record<Review["kind"], OpenMatter>> = {
  ...ESTATE_MATTERS,
  ...FINDING_MATTERS,
  ...GOVERNANCE_MATTERS,
  ...ACCESS_MATTERS,
};
