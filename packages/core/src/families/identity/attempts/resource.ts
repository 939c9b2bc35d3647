import { defineResource } from "#families/resource.js";
import { attempts } from "./schema.js";

/** How far each limit on attempts is used up. */
export const attemptsResource = defineResource({
  collections: [attempts],
});
