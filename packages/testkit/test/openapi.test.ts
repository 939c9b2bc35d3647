import { describe, expect, it } from "vitest";
import { ApiDocument, publishedBy } from "../src/openapi/index.js";
import { createPlane } from "../src/world/index.js";

const Thing = {
  type: "object",
  required: ["state", "at"],
  properties: {
    state: { type: "string", enum: ["open", "closed"], nullable: true },
    was: { type: "string", enum: ["open", null], nullable: true },
    at: { type: "string", format: "date-time" },
    share: { type: "number", minimum: 0, exclusiveMinimum: true },
  },
};
const json = (schema: object) => ({ "application/json": { schema } });
const document = new ApiDocument({
  openapi: "3.0.3",
  paths: {
    "/things/{id}": {
      get: { operationId: "things.read", responses: { 200: { $ref: "#/components/responses/Thing" } } },
    },
    "/things/first": {
      get: { operationId: "things.first", responses: { default: { content: json({ type: "object" }) } } },
      put: {
        operationId: "things.put",
        requestBody: { content: json({ $ref: "#/components/schemas/Thing" }) },
        responses: { 204: {} },
      },
    },
  },
  components: {
    schemas: { Thing, Problem: { type: "object", required: ["code"] } },
    responses: { Thing: { content: json({ $ref: "#/components/schemas/Thing" }) } },
  },
});

const at = "2026-11-28T10:00:00.000Z";
const faultsOf = (body: unknown, more: object = {}) =>
  document.answerFaults({
    operationId: "things.read",
    status: 200,
    contentType: "application/json; charset=utf-8",
    text: JSON.stringify(body),
    ...more,
  });

describe("an answer by the published document", () => {
  it("may be what the document says", () => {
    expect(faultsOf({ state: "open", was: null, at, share: 0.1 })).toEqual([]);
    expect(faultsOf({}, { operationId: "things.first", status: 404 })).toEqual([]);
  });

  it.each([
    ["null where an enum does not list it, nullable or not", { state: null, at }, "/state must be equal to one of"],
    ["a value that is not listed", { state: "ajar", at }, "/state must be equal to one of"],
    ["a text of another format", { state: "open", at: "2026-11-28" }, '/at must match format "date-time"'],
    ["a number on an open bound", { state: "open", at, share: 0 }, "/share must be > 0"],
    ["a missing property", { at }, "/ must have required property 'state'"],
    ["another type", [], "/ must be object"],
  ])("may not have %s", (_what, body, fault) => expect(faultsOf(body).join()).toContain(fault));

  it("has a status and a media type that are described", () => {
    expect(faultsOf({}, { status: 202 })).toEqual(["the status 202 is not described"]);
    expect(faultsOf({}, { contentType: "application/problem+json" })).toEqual([
      "application/problem+json is not described for the status 200",
    ]);
  });

  it("is a problem document where no operation is reached", () => {
    const unmatched = { operationId: undefined, status: 404, contentType: "application/problem+json" };
    expect(faultsOf({ code: "route_not_found" }, unmatched)).toEqual([]);
    expect(faultsOf({}, unmatched).join()).toContain("/ must have required property 'code'");
  });
});

describe("a request by the published document", () => {
  it("has a body as its schema says", () => {
    const faults = (body: unknown) => document.requestFaults("things.put", "application/json", JSON.stringify(body));
    expect(faults({ state: "open", at })).toEqual([]);
    expect(faults({ state: "open", at: "soon" }).join()).toContain("/at must match format");
  });

  it("reaches the operation of its path, a fixed one before one with parameters", () => {
    expect(document.operationAt("GET", "/things/first?size=1")).toBe("things.first");
    expect(document.operationAt("HEAD", "/things/7")).toBe("things.read");
    expect(document.operationAt("GET", "/things")).toBeUndefined();
  });
});

it("does not take a document whose schemas mean nothing", () => {
  const wrong = new ApiDocument({
    paths: {},
    components: { schemas: { Problem: { nullable: true, enum: ["a"] } } },
  });
  const answer = { operationId: undefined, status: 404, contentType: "application/problem+json", text: "{}" };
  expect(() => wrong.answerFaults(answer)).toThrow(/nullable/);
});

it("is made once for all control planes of a process that have the same operations", () => {
  let made = 0;
  const openapi = () => {
    made += 1;
    return { paths: {} };
  };
  // A few operations, which are no control plane's, so that what is kept serves no other test.
  const published = () => publishedBy({ operations: createPlane().controlPlane.operations.slice(0, 5), openapi });
  expect(published()).toBe(published());
  expect(made).toBe(1);
});
