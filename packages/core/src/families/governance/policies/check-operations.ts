import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { examine, runTests, type TestResult, warningsOf } from "./check-policy.js";
import { compilePolicy } from "./compile/compile.js";
import { EXPECTATIONS, POLICY_DEFAULTS, PolicyTest } from "./fields.js";
import { may } from "./operations.js";
import { policies } from "./schema.js";
import { chosenKind, PolicyRequest, readPolicyBody } from "./write/body.js";
import { controlFaults } from "./write/controls.js";

const PATH = "/api/v1/ai-governance/policies";
const shared = { tag: "AI Governance", extension: true, effect: "read" } as const;

const Noticed = z.object({
  pointer: z.string().meta({ description: "JSON Pointer into the policy." }),
  message: z.string().meta({ description: "What to look at." }),
});
const Tested = z.object({
  name: z.string().meta({ description: "Name of the test." }),
  expected: z.enum(EXPECTATIONS).meta({ description: "What it wants." }),
  actual: z.enum(EXPECTATIONS).meta({ description: "What came of it." }),
  passed: z.boolean().meta({ description: "Whether the two agree." }),
  results: z
    .array(
      z.object({
        ruleKey: z.string().meta({ description: "Key of the rule." }),
        outcome: z.string().meta({ description: "What the rule says." }),
        message: z.string().meta({ description: "Why it says so." }),
      }),
    )
    .meta({ description: "Results by rule." }),
});

const Validation = z
  .object({
    valid: z.boolean().meta({ description: "It has no faults and all its tests pass." }),
    faults: z
      .array(
        z.object({
          pointer: z.string().meta({ description: "JSON Pointer into the policy." }),
          code: z.string().meta({ description: "What kind of fault." }),
          message: z.string().meta({ description: "What to put right." }),
          line: z.int().nullable().meta({ description: "Line of the expression, from 1; `null` for no place in it." }),
          column: z.int().nullable().meta({ description: "Column in that line, from 1, in UTF-16 units." }),
        }),
      )
      .meta({ description: "What keeps it from use." }),
    warnings: z.array(Noticed).meta({ description: "What looks like a mistake." }),
    reads: z.array(z.string()).meta({ description: "The fields that its rules read." }),
    tests: z.array(Tested).meta({ description: "Results of its tests." }),
  })
  .meta({ id: "PolicyValidation" });

export const validatePolicy = defineOperation({
  ...shared,
  id: "aiGovernance.validatePolicy",
  agents: "explain",
  method: "POST",
  path: `${PATH}/validate`,
  summary: "Check a policy without storing it",
  description:
    "Takes the fields of a policy and its `kind`, `posture` unless said. Faults and failed tests are in the answer; it is 200 either way.",
  access: may("read"),
  body: PolicyRequest,
  success: { status: 200, schema: Validation },
  errors: ["read_only_property"],
  async handler(ctx, input) {
    const { kind, body } = chosenKind(input.body);
    const policy = { ...POLICY_DEFAULTS, ...readPolicyBody(body).fields, kind };
    const examined = examine(ctx.env, policy);
    const { compiled } = examined;
    const faults = [...examined.faults, ...(await controlFaults(ctx, policy.rules))];
    const tests = faults.length > 0 ? [] : await runTests(compiled, policy, policy.tests, ctx.request.nowMs);
    return {
      valid: faults.length === 0 && tests.every(({ passed }) => passed),
      faults: faults.map(({ line = null, column = null, ...fault }) => ({ ...fault, line, column })),
      warnings: warningsOf(examined, policy),
      reads: [...new Set(compiled.rules.flatMap(({ reads }) => reads))].sort(),
      tests: tests.map(plain),
    };
  },
});

const TestReport = z
  .object({
    passed: z.boolean().meta({ description: "Whether all tests passed." }),
    revision: z.int().meta({ description: "Revision of the policy." }),
    digest: z.string().meta({ description: "SHA-256 of what was tested." }),
    tests: z.array(Tested).meta({ description: "Results by test." }),
  })
  .meta({ id: "PolicyTestReport" });

export const testPolicy = defineOperation({
  ...shared,
  id: "aiGovernance.testPolicy",
  agents: "explain",
  method: "POST",
  path: `${PATH}/{id}/test`,
  summary: "Run the tests of a policy, or others on it",
  description:
    "Without a body its own tests run; with `tests` those that are sent. Nothing is stored. For policies of both kinds.",
  access: may("read"),
  params: ById,
  body: z
    .strictObject({
      tests: z.array(PolicyTest).max(100).optional().meta({ description: "Instead of the tests of the policy." }),
    })
    .meta({ id: "PolicyTestRequest", example: { tests: [] } })
    .optional(),
  success: { status: 200, schema: TestReport },
  async handler(ctx, { params, body }) {
    const policy = await ctx.getOrThrow(policies, params.id);
    const { compiled } = compilePolicy(ctx.env, policy);
    const tests = (await runTests(compiled, policy, body?.tests ?? policy.tests, ctx.request.nowMs)).map(plain);
    return { passed: tests.every(({ passed }) => passed), revision: policy.revision, digest: policy.digest, tests };
  },
});

function plain({ results, ...test }: TestResult): z.output<typeof Tested> {
  return { ...test, results: results.map(({ ruleKey, outcome, message }) => ({ ruleKey, outcome, message })) };
}
