import { describe, expect, it } from "vitest";
import { askedOf, listQuery } from "./list-query.js";

const listed = {
  filters: {
    status: { values: ["open", "closed"] },
    gate: { type: "boolean" },
    severity: { field: "gravity", values: ["low", "high"] },
    provider: {},
  },
  orders: { name: "name", severity: "gravity" },
  search: () => "text",
} as const;

const read = (query: Record<string, unknown>) => listQuery(listed).safeParse(query);
const asked = (query: Record<string, unknown>) => askedOf(listed, listQuery(listed).parse(query));

describe("the query of a list", () => {
  it.each<[string, Record<string, unknown>, object]>([
    ["nothing", {}, {}],
    ["one value", { status: "open" }, { where: { status: "open" } }],
    ["several values", { status: "open,closed" }, { where: { status: ["open", "closed"] } }],
    ["a comma that parts nothing", { provider: "a\\,b,c" }, { where: { provider: ["a,b", "c"] } }],
    ["an empty text", { provider: "" }, { where: { provider: "" } }],
    ["a truth", { gate: "false" }, { where: { gate: false } }],
    ["both truths", { gate: "true,false" }, { where: { gate: [true, false] } }],
    ["a field of another name", { severity: "high" }, { where: { gravity: "high" } }],
    ["words", { search: "  two words " }, { search: "two words" }],
    ["no words", { search: "  " }, {}],
    ["an order", { sort: "name" }, { order: [{ by: "name", direction: "asc" }] }],
    [
      "an order of several fields",
      { sort: "-severity,createdAt" },
      {
        order: [
          { by: "gravity", direction: "desc" },
          { by: "createdAt", direction: "asc" },
        ],
      },
    ],
  ])("with %s asks for just that", (_what, query, wanted) => {
    expect(asked(query)).toEqual(wanted);
  });

  it.each<[string, Record<string, unknown>]>([
    ["a value that does not exist", { status: "open,lost" }],
    ["an empty truth", { gate: "" }],
    ["a number for a truth", { gate: "1" }],
    ["an order by what is only a filter", { sort: "status" }],
    ["an order that names a field twice", { sort: "name,-name" }],
    ["an order by nothing", { sort: "" }],
    ["an order of four fields", { sort: "name,severity,createdAt,-name" }],
    ["a filter of more than fifty values", { provider: Array.from({ length: 51 }, (_, at) => at).join() }],
    ["a value of more than 200 characters", { provider: "x".repeat(201) }],
    ["a name that is not published", { owner: "me" }],
  ])("refuses %s", (_what, query) => {
    expect(read(query).success).toBe(false);
  });

  it("takes fifty values, and three fields of an order", () => {
    expect(read({ provider: Array.from({ length: 50 }, (_, at) => at).join() }).success).toBe(true);
    expect(read({ sort: "name,severity,-createdAt" }).success).toBe(true);
  });

  it("takes no words where nothing can be searched", () => {
    const { search: _none, ...silent } = listed;
    expect(listQuery(silent).safeParse({ search: "word" }).success).toBe(false);
    expect(askedOf(silent, { search: "word" })).toEqual({});
  });
});
