import { openCounts } from "#families/findings/index.js";
import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { recordSides } from "../assets/effective/record-side.js";
import { followAssets } from "./follow/follow.js";
import { joinedRecords } from "./follow/joined.js";
import { keepPosture } from "./keep-posture.js";

/** Keeps typed records and their assets in agreement. */
export const recordsResource = defineResource({
  follows: [followAssets],
  extends: [extend(recordSides, joinedRecords), extend(openCounts, keepPosture)],
});
