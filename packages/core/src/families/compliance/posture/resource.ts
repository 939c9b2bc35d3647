import { defineResource } from "#families/resource.js";
import { readFrameworkPosture, readPosture } from "./operations.js";
import { keepPosture, postureDue, postureSnapshots } from "./posture-snapshots.js";

/** Compliance per framework, and its history. */
export const postureResource = defineResource({
  collections: [postureSnapshots],
  operations: [readPosture, readFrameworkPosture],
  dues: [postureDue],
  tick: keepPosture,
  aged: [{ kind: "postures", collection: postureSnapshots, by: "createdAt" }],
});
