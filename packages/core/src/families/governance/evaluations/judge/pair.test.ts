import { expect, it } from "vitest";
import type { PostureResult } from "../../policies/evaluate-policy.js";
import { statusWhenAbsentFrom } from "./pair.js";

const policy = { rules: [{ key: "approved" }, { key: "named" }] };
const ofTool = (name: string, outcome: PostureResult["outcome"], ruleKey = "approved"): PostureResult => ({
  ruleKey,
  locus: name,
  outcome,
  message: "",
  item: { name },
});

it("leaves open what was found on an item that has no result now, and no other item's", () => {
  const status = statusWhenAbsentFrom({ policy }, [ofTool("broken", "error"), ofTool("mended", "pass")]);
  expect(status({ ruleKey: "approved", locus: "broken" })).toBe("unknown");
  expect(status({ ruleKey: "approved", locus: "mended" })).toBe("absent");
  expect(status({ ruleKey: "approved", locus: "removed" })).toBe("absent");
});

it("leaves open all that a rule has found when it has no result at all, and nothing of another rule", () => {
  const noList: PostureResult = { ruleKey: "approved", locus: "", outcome: "error", message: "" };
  const status = statusWhenAbsentFrom({ policy }, [noList, ofTool("mended", "pass", "named")]);
  for (const locus of ["", "broken", "mended"]) expect(status({ ruleKey: "approved", locus })).toBe("unknown");
  expect(status({ ruleKey: "named", locus: "mended" })).toBe("absent");
});

it("gives up what was found by a rule that is there no more", () => {
  const status = statusWhenAbsentFrom({ policy }, [ofTool("broken", "error", "dropped")]);
  expect(status({ ruleKey: "dropped", locus: "broken" })).toBe("gone");
});
