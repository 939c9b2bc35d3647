import { type Mutant, tests, type Witness } from "../mutant.js";

const core = "packages/core/src";
const worthless = (what: string): Witness[] =>
  tests(
    "packages/core/test/kernel/worthless-credentials.test.ts",
    `whoever sends from one address ${what} keeps nobody there from what is good, at the limits of nobody's choice`,
  );
const turns = (kind: string): Witness[] => [
  {
    file: "packages/core/test/kernel/own-process/turns.test.ts",
    name: `no turn of the event loop is long, and others are answered meanwhile with ${kind}`,
    project: "own-process",
  },
];
const questions = (what: string): Witness[] =>
  tests("packages/core/test/governance/budgets-of-questions.test.ts", `the policies of one question ${what}`);

export const budgets: readonly Mutant[] = [
  {
    breaks: "budgets: policies of one question have bounds each and none together",
    file: `${core}/families/governance/policies/evaluation-budget.ts`,
    text: 'return { steps: Math.min(LIMITS.policySteps, this.#left[inForce ? "inForce" : "observed"], this.shared.steps) };',
    replacement: "return { steps: LIMITS.policySteps };",
    witnesses: [
      ...questions("deny once those in force cost more together, though each costs what it may"),
      ...questions("have one budget for all questions of a request, behind which they deny"),
    ],
  },
  {
    breaks: "budgets: what is only observed takes the budget of what is in force",
    file: `${core}/families/governance/policies/evaluation-budget.ts`,
    text: 'this.#left[inForce ? "inForce" : "observed"] -= steps;',
    replacement: "this.#left.inForce -= steps;",
    witnesses: questions("take nothing from those in force while they are only observed"),
  },
  {
    breaks: "budgets: policies hold the event loop until all of them are asked",
    file: `${core}/families/governance/policies/evaluation-budget.ts`,
    text: "return this.yielder.isDue;",
    replacement: "return false;",
    witnesses: turns("questions at once"),
  },
  {
    breaks: "budgets: the description of the interface is built in one turn",
    file: `${core}/families/platform/reference/operations.ts`,
    text: "made ??= await inTurns(steps());",
    replacement: "made ??= atOnce(steps());",
    witnesses: turns("a description of the interface that is asked for first"),
  },
  {
    breaks: "budgets: refused sign-ins use up what good ones need",
    file: `${core}/kernel/pipeline/pipeline.ts`,
    text: "if (spending) this.#limiter.giveBack(spending);",
    replacement: "",
    witnesses: worthless("sign-ins of no form"),
  },
  {
    breaks: "budgets: guesses at others keep out whoever signed in from the same address",
    file: `${core}/families/identity/attempts/limit/budgets.ts`,
    text: "const isProven = proven !== undefined && counters.has(proven, now);",
    replacement: "const isProven = false;",
    witnesses: worthless("sign-ins of nobody"),
  },
  {
    breaks: "budgets: probes are counted",
    file: `${core}/kernel/pipeline/rate-limit/buckets.ts`,
    text: "if (operation.probe) return { tenantId: PEERS, keys: [] };",
    replacement: "",
    witnesses: worthless("reads of what is public"),
  },
  {
    breaks: "budgets: a listing has bounds for each page and none for all bytes",
    file: `${core}/connectors/call/walk.ts`,
    text: " || trail.bytes > LISTING.bytes",
    replacement: "",
    witnesses: tests(
      "packages/core/test/connectors/call.test.ts",
      "a walk through a listing ends when its pages have more bytes together than are read",
    ),
  },
  {
    breaks: "budgets: a filter of a connection may ask for anything",
    file: "packages/connectors/src/asked-attributes.ts",
    text: "if (hidden === undefined) return;",
    replacement: "return;",
    witnesses: tests(
      "packages/connectors/test/asked-attributes.test.ts",
      "the attributes that a filter of SCIM or a search of Okta asks for are compared in any case, and one that a listing does not show is named",
    ),
  },
];
