import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a key of the registry. */
export const registryKeyStatus = defineMachine<{ readonly status: string }>()({
  name: "registryKeyStatus",
  field: "status",
  eventType: "registry_key.status.changed",
  states: {
    active: "It opens the registry.",
    revoked: "It opens nothing any more.",
  },
  initial: ["active"],
  guards: {},
  transitions: [{ event: "revoke", from: ["active"], to: "revoked", permission: "registry-key:write", stops: true }],
});
