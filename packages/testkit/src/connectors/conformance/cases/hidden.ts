import { expect } from "vitest";
import type { ConformanceCase } from "../case.js";
import { has } from "../truth.js";

const UNTRIED = "the target gives no `hide`";

/** What becomes of access that the target has and does not show. */
export const hiddenCases: readonly ConformanceCase[] = [
  {
    name: "access that the target does not show is revoked all the same, and not said to be gone before",
    needs: ["grant", "revoke"],
    async run(bench) {
      const { access } = bench;
      const [wanted] = access.wanted;
      if (!access.hide) return UNTRIED;
      await bench.give(wanted);
      await access.hide();
      const outcome = await bench.outcomeOf(bench.calls().revoke(wanted));
      const truth = await bench.target.observe();
      expect(has(truth, wanted), "the removal was not sent").toBe(false);
      expect(has(truth, access.foreign), "access of somebody else was removed").toBe(true);
      expect(outcome, "what was there was said to be gone before").toBe("applied");
      return undefined;
    },
  },
];
