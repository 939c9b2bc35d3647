import { type Mutant, onEveryStore } from "../mutant.js";

export const activity: readonly Mutant[] = [
  {
    breaks: "a verification that starts behind a checkpoint does not see that this knows another event",
    file: "packages/core/src/families/activity/chain/verify/verify.ts",
    text: "if (atStart !== undefined) return",
    replacement: "if (false) return",
    witnesses: onEveryStore(
      "packages/core/test/activity/each-store/checkpoints.test.ts",
      "a verification of tenant a doubts the event it starts behind as well",
      "a verification of tenant b doubts the event it starts behind as well",
      "a verification begins where events were pruned, and doubts the checkpoint that it begins behind",
    ),
  },
];
