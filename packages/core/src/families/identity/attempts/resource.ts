import { defineResource } from "#families/resource.js";
import { attempts } from "./schema.js";

/** Counts of failed sign-ins. */
export const attemptsResource = defineResource({
  collections: [attempts],
});
