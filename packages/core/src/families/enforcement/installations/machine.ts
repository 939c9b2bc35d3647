import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an installation. One that was revoked is enrolled anew. */
export const installationStatus = defineMachine<{ readonly status: string }>()({
  name: "installationStatus",
  field: "status",
  eventType: "installation.status.changed",
  states: {
    active: "It may ask for decisions.",
    revoked: "Its credential is refused, and everything that it asks is denied.",
  },
  initial: ["active"],
  guards: {},
  transitions: [{ event: "revoke", from: ["active"], to: "revoked", permission: "installation:revoke", stops: true }],
});

/** `status` of an enrolment code. */
export const enrolmentCodeStatus = defineMachine<{ readonly status: string }>()({
  name: "enrolmentCodeStatus",
  field: "status",
  eventType: "installation.code.status.changed",
  states: {
    active: "It enrols installations.",
    used_up: "It has enrolled as many as it may.",
    expired: "Its time is over.",
    revoked: "It was withdrawn.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    { event: "use_up", from: ["active"], to: "used_up", automatic: true },
    { event: "expire", from: ["active"], to: "expired", automatic: true },
    { event: "revoke", from: ["active"], to: "revoked", permission: "installation:enrol", stops: true },
  ],
});
