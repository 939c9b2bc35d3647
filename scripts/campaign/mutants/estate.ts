import { type Mutant, onEveryStore } from "../mutant.js";

export const estate: readonly Mutant[] = [
  {
    breaks: "whoever asked for an asset approves it, as long as that is on conditions",
    file: "packages/core/src/families/estate/assets/machine.ts",
    text: `      to: "conditionally_approved",
      guards: ["permitted"],
      permission: "ai-governance:approve",
      secondPerson: true,`,
    replacement: `      to: "conditionally_approved",
      guards: ["permitted"],
      permission: "ai-governance:approve",`,
    witnesses: onEveryStore(
      "packages/core/test/rules/second-person.test.ts",
      "a second person in tenant a makes an asset conditionally_approved, and not who asked for it",
      "a second person in tenant a makes an asset conditionally_approved, and not who owns it",
      "a second person in tenant b makes an asset conditionally_approved, and not who asked for it",
      "a second person in tenant b makes an asset conditionally_approved, and not who owns it",
    ),
  },
];
