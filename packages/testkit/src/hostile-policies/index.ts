import { EXPENSIVE, WORST } from "./expensive.js";
import { type HostilePolicy, hostile, times } from "./hostile.js";
import { REFUSED } from "./refused.js";

export type { HostilePolicy } from "./hostile.js";

const RULES = 50;
const TESTS = 100;
const ITEMS = 256;
const pairs = (list: string, x: string, y: string) => `${list}.all(x, ${list}.all(y, ${x} != ${y} || ${x} == ${y}))`;
const onRequests = pairs("action.properties.a", "x", "y");
const request = { subject: { type: "t", id: "i" }, action: { name: "act", properties: { a: WORST.a } } };
const rulesOf = (each: object) => Array.from({ length: RULES }, (_, at) => ({ key: `r${at}`, message: "m", ...each }));
const tool = { name: "tool", effects: ["read"], requiresApproval: false };
const agent = { asset: { name: "x", assetType: "agent" }, spec: { tools: Array(ITEMS).fill(tool) } };

function policy(name: string, outcome: string, body: object): HostilePolicy {
  return { name, way: "ends", outcome, size: "policy", body: { configuration: { key: "hostile", ...body } } };
}
const runtime = (name: string, outcome: string, configuration: object): HostilePolicy => ({
  ...policy(name, outcome, configuration),
  body: { kind: "runtime", configuration: { key: "hostile", ...configuration } },
});
const test = (outcome: string, input: object) => [{ name: "worst", input, expect: outcome }];

/** Policies that exhaust the limits of a policy. */
const WHOLE: readonly HostilePolicy[] = [
  runtime("fifty rules, all too expensive", "error", {
    rules: rulesOf({ effect: "deny", if: onRequests, when: onRequests }),
    tests: test("error", request),
  }),
  runtime("a selector that is too expensive", "error", {
    rules: rulesOf({ effect: "deny", if: "true" }),
    selector: { expression: onRequests },
    tests: test("error", request),
  }),
  runtime("a hundred tests, all too expensive", "error", {
    rules: rulesOf({ effect: "deny", if: onRequests }),
    tests: Array.from({ length: TESTS }, (_, at) => ({ name: `t${at}`, input: request, expect: "error" })),
  }),
  runtime("fifty rules as long as they may be", "too_long", {
    rules: rulesOf({ effect: "deny", if: `${times(190, "1 + ")}1 > 0`, when: `"${times(4_080, "a")}" != ""` }),
    tests: test("deny", request),
  }),
  policy("fifty rules for each of 256 items", "error", {
    selector: { assetTypes: ["agent"] },
    rules: rulesOf({ assert: pairs("spec.tools", "x.name", "y.name"), forEach: "spec.tools", locus: "item.name" }),
    tests: test("error", agent),
  }),
  policy("12,800 failures with all that a message may name", "fail", {
    selector: { assetTypes: ["agent"] },
    rules: rulesOf({ assert: "item.requiresApproval", forEach: "spec.tools", message: times(38, "{asset.name} ") }),
    tests: test("fail", agent),
  }),
];

/** Policies meant to make a control plane slow, large or wrong. They are refused, or end before they cost much. */
export const hostilePolicies: readonly HostilePolicy[] = [
  ...REFUSED.map((expression) => hostile("refused", expression, {})),
  ...EXPENSIVE.map((expression) => hostile("ends", expression, WORST)),
  ...WHOLE,
];

/** The measure for those that end: the same values, and a rule that reads one of them once. */
export const plainPolicy: HostilePolicy = hostile("ends", ["a plain rule", 'action.name == "act"', "deny"], WORST);
