import type { OwnEvents } from "../events.js";

export const doorEvents: OwnEvents = {
  "registry_key.rotated":
    "A key of the tenant's MCP registry was replaced. `data` holds how often, as `rotations`, and until when the one before works, as `overlapEndsAt`.",
};
