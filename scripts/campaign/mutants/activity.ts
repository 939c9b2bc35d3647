import { type Mutant, onEveryStore } from "../mutant.js";

export const activity: readonly Mutant[] = [
  {
    breaks: "the activity of a record that was deleted lacks what happened to its asset",
    file: "packages/core/src/kernel/operation/sides.ts",
    text: ": await removedSide(db, id);",
    replacement: ": null;",
    witnesses: onEveryStore(
      "packages/core/test/activity/each-store/sides.test.ts",
      "the activity of an asset and of its record is one, by either id, of ai_agent, before and after it is deleted",
    ),
  },
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
