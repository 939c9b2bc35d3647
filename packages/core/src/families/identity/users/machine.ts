import { defineMachine } from "#kernel/operation/guard.js";
import { hasPassword } from "./passwords/credentials.js";

/**
 * The status of a user: invited until there is a password, then active. It can be disabled and enabled; without a
 * password it is invited once more.
 */
export const userStatus = defineMachine<{ readonly id: string }>()({
  name: "userStatus",
  field: "status",
  eventType: "user.status.changed",
  states: {
    active: "Can sign in.",
    invited: "Has no password yet.",
    disabled: "Cannot sign in; its tokens are dead.",
  },
  initial: ["active", "invited"],
  guards: {
    passwordSet: {
      description: "The user has a password.",
      check: async ({ record, ctx }) =>
        (await hasPassword(ctx, record.id)) ? undefined : "The user has no password yet.",
    },
  },
  transitions: [
    { event: "activate", from: ["invited"], to: "active", guards: ["passwordSet"] },
    { event: "disable", from: ["active", "invited"], to: "disabled", stops: true },
    { event: "enable", from: ["disabled"], to: "active", guards: ["passwordSet"] },
    { event: "reinvite", from: ["disabled"], to: "invited" },
  ],
});
