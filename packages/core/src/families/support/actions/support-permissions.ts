import type { Permissions } from "#families/roles.js";

/** What the provider's people may do, of which their operations name one each. */
export const SUPPORT_PERMISSIONS = {
  "support:read": {
    lets: "See tenants, their users and entitlements, settings and kill switches",
    heldBy: ["provider_support"],
  },
  "support:config": { lets: "Change settings of the platform", heldBy: [] },
  "support:kill-switches": { lets: "Engage and release kill switches", heldBy: [] },
  "support:tenants": { lets: "Suspend, reactivate and close tenants", heldBy: [] },
  "support:entitlements": { lets: "Grant and revoke capabilities, limits and features", heldBy: [] },
  "support:sql": { lets: "Ask questions in SQL across tenants", heldBy: [] },
  "support:users": { lets: "Disable and enable users of tenants, and reset their passwords", heldBy: [] },
} as const satisfies Permissions;
