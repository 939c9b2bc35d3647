import { defineMachine, type Guard } from "#kernel/operation/guard.js";
import { type CheckedPolicy, faultsOf } from "./check-policy.js";

const proven: Guard<CheckedPolicy> = {
  description: "Its rules compile, it has tests, and they pass.",
  async check({ record, ctx }) {
    if (record.tests.length === 0) return "It has no tests.";
    const [first] = await faultsOf(ctx.env, record);
    return first && `${first.pointer}: ${first.message}`;
  },
};

/** `status` of a policy: whether it is evaluated, and whether its results have effect. */
export const policyStatus = defineMachine<CheckedPolicy>()({
  name: "policyStatus",
  field: "status",
  eventType: "policy.status.changed",
  states: {
    draft: "Being written; never evaluated.",
    observe: "Evaluated, and nothing hangs on what it finds.",
    active: "In force.",
    disabled: "Out of force for now.",
    archived: "Out of force for good.",
  },
  initial: ["draft", "observe"],
  guards: { proven },
  transitions: [
    {
      event: "observe",
      from: ["draft", "active", "disabled"],
      to: "observe",
      permission: "ai-policy:activate",
      guards: ["proven"],
    },
    {
      event: "activate",
      from: ["draft", "observe", "disabled"],
      to: "active",
      permission: "ai-policy:activate",
      guards: ["proven"],
    },
    {
      event: "disable",
      from: ["active", "observe"],
      to: "disabled",
      permission: "ai-policy:activate",
      needsReason: true,
    },
    {
      event: "archive",
      from: ["draft", "disabled"],
      to: "archived",
      permission: "ai-policy:activate",
      needsReason: true,
    },
  ],
});
