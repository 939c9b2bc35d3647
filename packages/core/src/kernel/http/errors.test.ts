import { inspect } from "node:util";
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

describe("a refusal in a terminal", () => {
  it("is its text, the frames, the code and the wrong fields, and no other members", () => {
    const errors = [{ pointer: "/rules/0", code: "too_small", message: "must have a name" }];
    const printed = inspect(new ReeveError("invalid_request", "The body is wrong.", { errors }));

    expect(printed).toMatch(/^ReeveError: The body is wrong[.]\n +at .*errors[.]test[.]ts/);
    expect(printed).toMatch(/code: 'invalid_request'/);
    expect(printed).toMatch(/must have a name/);
    expect(printed).not.toMatch(/headers|members|status|detail|cause/);
  });

  it("shows its cause", () => {
    expect(inspect(new ReeveError("invalid_request", "Wrong.", { cause: "the reason" }))).toMatch(/cause.*the reason/);
  });
});
