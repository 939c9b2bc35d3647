import { defineMachine, type Guard } from "#kernel/operation/guard.js";

interface Dated {
  readonly blockedBy: string | null;
  readonly credentialExpiresAt: string | null;
}

const inTime: Guard<Dated> = {
  description: "Its credentials have not run out.",
  check: ({ record, ctx }) =>
    record.credentialExpiresAt === null || record.credentialExpiresAt > ctx.now
      ? undefined
      : `Its credentials have run out (${record.credentialExpiresAt}); set a later \`credentialExpiresAt\` first.`,
};

const notBlocked: Guard<Dated> = {
  description: "Its asset may be used.",
  check: ({ record }) => (record.blockedBy === null ? undefined : `Its asset keeps it from use (${record.blockedBy}).`),
};

/** `status` of an AI identity: whether it may be used. */
export const identityStatus = defineMachine<Dated>()({
  name: "identityStatus",
  field: "status",
  eventType: "identity.status.changed",
  states: {
    active: "Can be acted under.",
    disabled: "Switched off; can be switched on again.",
    expired: "Its credentials have run out.",
    revoked: "Switched off for good.",
  },
  initial: ["active"],
  guards: { inTime, notBlocked },
  transitions: [
    { event: "disable", from: ["active", "expired"], to: "disabled", warns: true },
    { event: "enable", from: ["disabled"], to: "active", guards: ["inTime", "notBlocked"], byPeople: true },
    { event: "renew", from: ["expired"], to: "active", guards: ["inTime", "notBlocked"], byPeople: true },
    { event: "expire", from: ["active"], to: "expired", automatic: true },
    { event: "revoke", from: ["active", "disabled", "expired"], to: "revoked", stops: true, warns: true },
  ],
});
