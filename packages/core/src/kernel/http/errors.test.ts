import { describe, expect, it } from "vitest";
import { ReeveError } from "./errors.js";

describe("the stack of a refusal", () => {
  it("is not taken where a token is worthless, and other errors keep theirs", () => {
    const limit = Error.stackTraceLimit;
    const refused = new ReeveError("invalid_token");
    expect(refused.stack?.split("\n")).toHaveLength(1);
    expect(Error.stackTraceLimit).toBe(limit);
    expect(new ReeveError("not_found").stack).toContain("errors.test.ts");
  });
});
