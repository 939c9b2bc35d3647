import { type Mutant, onEveryStore } from "../mutant.js";

export const estate: readonly Mutant[] = [
  {
    breaks: "whoever asked for an asset approves it, as long as that is on conditions",
    file: "packages/core/src/families/estate/assets/machine.ts",
    text: `      to: "conditionally_approved",
      guards: ["permitted"],
      permission: "ai-governance:approve",
      fourEyes: true,`,
    replacement: `      to: "conditionally_approved",
      guards: ["permitted"],
      permission: "ai-governance:approve",`,
    witnesses: onEveryStore(
      "packages/core/test/rules/four-eyes.test.ts",
      "a four-eyes approver in tenant a makes an asset conditionally_approved, and not who asked for it",
      "a four-eyes approver in tenant a makes an asset conditionally_approved, and not who owns it",
      "a four-eyes approver in tenant b makes an asset conditionally_approved, and not who asked for it",
      "a four-eyes approver in tenant b makes an asset conditionally_approved, and not who owns it",
    ),
  },
];
