import { defineResource } from "#families/resource.js";
import { streamActivity } from "./operations.js";

/** What happens in the tenant, as it happens. */
export const liveResource = defineResource({ operations: [streamActivity] });
