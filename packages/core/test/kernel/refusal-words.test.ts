import { describe, expect, it } from "vitest";
import { type ErrorCode, problemDocument, ReeveError } from "#kernel/http/errors.js";
import { inProcess } from "#kernel/http/in-process.js";
import { ERRORS } from "#reference/index.js";
import { HTTP_WORDS } from "../../../../scripts/lib/http-words.js";
import { refusalTexts } from "./refusal-texts.js";

const codes = Object.keys(ERRORS) as ErrorCode[];
const texts = refusalTexts();

/** Refusals of what only a request has. */
const OF_REQUESTS = [
  "families/identity/grants/prove/client-proof.ts",
  "families/platform/tenant-domain/domain-hosts.ts",
  "kernel/http/body.ts",
  "kernel/http/http.ts",
  "kernel/pipeline/concurrency.ts",
  "kernel/pipeline/foreign-form.ts",
  "kernel/pipeline/idempotency.ts",
];

/** Inputs that hold a header, a path or an address themselves. */
const OF_SUCH_INPUTS = [
  "families/agent-tools/tokens/constraints/schema.ts",
  "families/estate/mcp-servers/fields.ts",
  "families/estate/mcp-servers/rules.ts",
  "families/estate/records/fields.ts",
  "families/platform/tenant-domain/rules.ts",
];

describe("the words of a refusal", () => {
  it.each(codes)("%s: title and remedy say two things, and no detail repeats them", (code) => {
    const { title, detail, remedy } = problemDocument(new ReeveError(code), "req_1", "urn:");
    expect(detail).toBeUndefined();
    expect(remedy).not.toBe(title);
    expect(texts.filter(({ text }) => text === title || text === remedy)).toEqual([]);
  });

  it.each(codes)("%s speaks of a call in process, not of HTTP", (code) => {
    const { message, stack = "" } = inProcess(new ReeveError(code));
    expect(message).not.toMatch(HTTP_WORDS);
    expect(stack.split("\n")[0]).toBe(`ReeveError: ${message}`);
  });

  it("are those of a call wherever one can be refused", () => {
    expect(texts.length).toBeGreaterThan(500);
    const http = texts.filter(({ text }) => HTTP_WORDS.test(text));
    const apart = [...OF_REQUESTS, ...OF_SUCH_INPUTS];
    expect(http.filter(({ file }) => !apart.includes(file))).toEqual([]);
    expect(apart.filter((file) => !http.some((one) => one.file === file))).toEqual([]);
  });

  it("name the first faults of an input, and how many more there are", () => {
    const errors = ["a", "b", "c", "d"].map((name) => ({ pointer: `/${name}`, code: "x", message: `No ${name}.` }));
    const refused = inProcess(new ReeveError("invalid_request", undefined, { errors }));
    expect(refused.message).toBe("The input is not valid. /a: No a. /b: No b. /c: No c. And 1 more.");
    expect(refused.errors).toEqual(errors);
  });
});
