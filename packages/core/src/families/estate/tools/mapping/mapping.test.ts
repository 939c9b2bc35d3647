import { describe, expect, it } from "vitest";
import { mappingLanguageOf } from "./mapping-language.js";
import { readMapping } from "./read-mapping.js";
import { resolveMapping } from "./resolve-mapping.js";

const language = mappingLanguageOf({ now: () => 0 });
const TOKEN = { sub: "alice@example.com", client_id: "http://agentprovider.com/agent-app-id", roles: ["treasury"] };
const SUBJECT = { type: "identity", id: "$token.sub" };

const resolved = (mapping: object, args: object, token: object = TOKEN) => {
  const read = readMapping(language, mapping);
  if ("faults" in read) return read.faults;
  return resolveMapping(read.mapping, language.values({ params: { name: "a_tool", arguments: args }, token }));
};
const about = (more: object) => ({
  evaluation: { subject: SUBJECT, action: { name: "a" }, resource: { type: "t", id: "i" }, ...more },
});
const contextOf = (context: object, args: object = {}) => {
  const made = resolved(about({ context }), args);
  return "questions" in made ? made.questions[0]?.context : made;
};

describe("a mapping", () => {
  it("of one question gives the request of the draft's example", () => {
    const mapping = {
      evaluation: {
        subject: SUBJECT,
        action: { name: "get_customer" },
        resource: { type: "customer", id: "$params.arguments.id" },
        context: { agent: "$token.?client_id", case: "$params.arguments.case" },
      },
    };
    expect(resolved(mapping, { id: "cust-12345", case: "case-67890" })).toEqual({
      questions: [
        {
          subject: { type: "identity", id: "alice@example.com" },
          action: { name: "get_customer" },
          resource: { type: "customer", id: "cust-12345" },
          context: { agent: "http://agentprovider.com/agent-app-id", case: "case-67890" },
        },
      ],
    });
  });

  it("of several takes from the top what a question leaves out", () => {
    const mapping = {
      evaluations: {
        ...{ subject: SUBJECT, context: { agent: "$token.?client_id" } },
        evaluations: [
          { action: { name: "read" }, resource: { type: "storage_object", id: "$params.arguments.source" } },
          {
            ...{ action: { name: "write" }, context: {} },
            resource: { type: "storage_object", id: "$params.arguments.destination" },
          },
        ],
      },
    };
    const subject = { type: "identity", id: TOKEN.sub };
    expect(resolved(mapping, { source: "/a", destination: "/b" })).toEqual({
      questions: [
        {
          ...{ subject, action: { name: "read" }, context: { agent: TOKEN.client_id } },
          resource: { type: "storage_object", id: "/a" },
        },
        { subject, action: { name: "write" }, context: {}, resource: { type: "storage_object", id: "/b" } },
      ],
    });
  });

  it("computes by conditions and functions, as the draft's example has them", () => {
    const type = "$token.roles.exists(r, r == 'treasury') ? 'treasury_user' : 'standard_user'";
    const mapping = about({
      subject: { type, id: "$token.sub" },
      resource: {
        ...{ type: "account", id: "$params.arguments.from_account" },
        properties: { sensitivity: "$params.arguments.amount > 10000 ? 'high' : 'standard'" },
      },
    });
    const account = (sensitivity: string) => ({ type: "account", id: "a1", properties: { sensitivity } });
    for (const [amount, sensitivity] of [
      [20_000, "high"],
      [20_000.5, "high"],
      [9, "standard"],
    ] as const)
      expect(resolved(mapping, { from_account: "a1", amount })).toMatchObject({
        questions: [{ subject: { type: "treasury_user" }, resource: account(sensitivity) }],
      });
  });

  it.each([
    ["literals as they are", { n: 10, yes: true, none: null, list: ["a", 1], text: "a $b" }, {}],
    ["a literal with a dollar, written twice", { price: "$$50" }, { price: "$50" }],
    ["objects and lists of the message whole", { all: "$params.arguments" }, { all: { a: [1, { b: 2.5 }], c: null } }],
    ["a member by its index", { name: "$params['name']" }, { name: "a_tool" }],
    ["nothing for a member that may be absent and is", { region: "$params.arguments.?region" }, { region: undefined }],
    ["a text in place of it", { region: "$params.arguments.?region.orValue('eu')" }, { region: "eu" }],
    ["whether it is there", { region: "$params.arguments.?region.hasValue()" }, { region: false }],
    ["`null` where that is what stands there", { c: "$params.arguments.c" }, { c: null }],
    [
      "lists and maps that it makes",
      { made: "$[params.name, token.sub]", map: ["$", "{'a': 1}"].join("") },
      { made: ["a_tool", TOKEN.sub], map: { a: 1 } },
    ],
  ])("gives %s", (_what, context, expected) => {
    const given = contextOf(context, { a: [1, { b: 2.5 }], c: null });
    expect(given).toEqual(Object.keys(expected).length === 0 ? context : expected);
  });

  it.each([
    ["a member that is not there", "$params.arguments.region"],
    ["an item beyond a list", "$token.roles[5]"],
    ["a moment", "$timestamp('2020-01-01T00:00:00Z')"],
    ["a number that is none", "$1.0 / 0.0"],
    ["too many steps", "$params.arguments.many.all(a, params.arguments.many.all(b, a != b + 'x')) ? 1 : 2"],
  ])("has no value by %s", (_what, source) => {
    const many = Array.from({ length: 250 }, () => "y".repeat(200));
    expect(resolved(about({ context: { it: source } }), { many })).toEqual({
      fault: expect.stringContaining("has no value."),
    });
  });

  it.each([
    ["no object", [] as object, ""],
    ["no envelope", {}, ""],
    ["two envelopes", { evaluation: {}, evaluations: {} }, ""],
    ["an envelope that there is not", { search: {} }, ""],
    ["an envelope without an object", { evaluation: "$params" }, "/evaluation"],
    ["an action without a name", about({ action: {} }), "/evaluation/action/name"],
    ["null where something is required", about({ resource: { type: "t", id: null } }), "/evaluation/resource/id"],
    ["attributes beside the properties", about({ resource: { type: "t", id: "i", a: 1 } }), "/evaluation/resource/a"],
    ["members that no request has", about({ because: "x" }), "/evaluation/because"],
    ["a text as an action", about({ action: "read" }), "/evaluation/action"],
    [
      "a dollar within an expression",
      about({ context: { a: "$params.a == 1 ? $params.b : 2" } }),
      "/evaluation/context/a",
    ],
    ["a name that there is not", about({ context: { a: "$request.id" } }), "/evaluation/context/a"],
    ["a function that may not end", about({ context: { a: "$'a'.matches('(a+)+$')" } }), "/evaluation/context/a"],
    ["an expression that is too long", about({ context: { a: `$'${"x".repeat(5_000)}'` } }), "/evaluation/context/a"],
    ["no questions", { evaluations: { evaluations: [] } }, "/evaluations/evaluations"],
    [
      "a subject of one question",
      { evaluations: { evaluations: [about({}).evaluation] } },
      "/evaluations/evaluations/0/subject",
    ],
  ])("with %s is malformed there", (_what, mapping, pointer) => {
    expect(resolved(mapping, {})).toEqual([{ pointer, message: expect.stringMatching(/./) }]);
  });

  it("has bounds for questions and expressions", () => {
    const { subject: _, ...one } = about({}).evaluation;
    const many = { evaluations: { subject: SUBJECT, evaluations: Array.from({ length: 21 }, () => one) } };
    expect(resolved(many, {})).toMatchObject([{ pointer: "/evaluations/evaluations" }]);
    const context = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`m${at}`, "$params.name"]));
    expect(resolved(about({ context }), {})).toMatchObject([{ message: "It has at most 100 expressions." }]);
  });

  it.each([
    ["$token.sub", false],
    ["$token.email", true],
    ["alice", true],
    [undefined, false],
  ])("with the subject %s has one of its own: %s", (id, ownSubject) => {
    expect(readMapping(language, about({ subject: { type: "identity", id } }))).toMatchObject({
      mapping: { ownSubject },
    });
  });
});
