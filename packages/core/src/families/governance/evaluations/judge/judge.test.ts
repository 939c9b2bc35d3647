import { expect, it } from "vitest";
import type { PostureResult } from "../../policies/evaluate-policy.js";
import { outcomeCountsOf } from "./judge.js";

const ofTool = (locus: string, outcome: PostureResult["outcome"], ruleKey = "approved"): PostureResult => ({
  ...{ ruleKey, locus, outcome, message: "" },
  item: { name: locus },
});
const NONE = { pass: 0, fail: 0, error: 0, skip: 0 };

it("counts items of one locus as the one finding that they are, by the gravest", () => {
  const results = [
    ...[ofTool("same", "pass"), ofTool("same", "fail"), ofTool("same", "fail"), ofTool("other", "error")],
    ...[ofTool("other", "skip"), ofTool("third", "pass"), ofTool("same", "pass", "named")],
  ];
  expect(outcomeCountsOf(results)).toEqual({
    approved: { ...NONE, pass: 1, fail: 1, error: 1 },
    named: { ...NONE, pass: 1 },
  });
});

it("counts each result of rules about the asset itself", () => {
  const result = { ruleKey: "owned", locus: "", outcome: "fail", message: "" } as const;
  expect(outcomeCountsOf([result])).toEqual({ owned: { ...NONE, fail: 1 } });
});
