import { LIMITS } from "#cel/limits.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Allowance } from "#ports/expressions.js";
import { EventLoopYielder } from "#store/event-loop.js";
import {
  type Compilation,
  type CompiledPolicy,
  compilePolicy,
  type PolicyFault,
  type PolicySource,
} from "./compile/compile.js";
import {
  evaluatePosture,
  evaluateRuntime,
  type PostureResult,
  Prepared,
  type RuntimeResult,
  strongest,
  summed,
} from "./evaluate-policy.js";
import { isRuntime, type PolicyFields, type PolicyTest } from "./fields.js";
import { paramFaults } from "./policy-params.js";

type Examined = PolicySource & Pick<PolicyFields, "paramSchemas">;

export type CheckedPolicy = Examined & Pick<PolicyFields, "tests">;

/** The result of one test of a policy. */
export interface TestResult {
  readonly name: string;
  readonly expected: PolicyTest["expect"];
  readonly actual: PolicyTest["expect"];
  readonly passed: boolean;
  /** The outcome of each rule. */
  readonly results: readonly { readonly ruleKey: string; readonly outcome: string; readonly message: string }[];
}

/** Compiles a policy and checks it: expressions, names, parameters, the kind of its rules, and duplicate keys. */
export function examine(env: Environment, policy: Examined): Compilation {
  const keys = policy.rules.map(({ key }) => key);
  const misplaced = policy.rules.flatMap((rule, index): PolicyFault[] => {
    const pointer = `/rules/${index}`;
    if (isRuntime(rule) !== (policy.kind === "runtime")) {
      const message =
        policy.kind === "runtime" ? "A runtime rule has `effect` and `if`." : "A posture rule has `assert`.";
      return [{ pointer, code: "wrong_kind", message }];
    }
    if (keys.indexOf(rule.key) === index) return [];
    return [{ pointer: `${pointer}/key`, code: "duplicate_key", message: `Another rule is called "${rule.key}".` }];
  });
  const { compiled, faults } = compilePolicy(env, policy);
  return { compiled, faults: misplaced.length > 0 ? misplaced : [...faults, ...paramFaults(policy)] };
}

/** The faults of a policy that is to be evaluated: those of its rules, or else its failing tests. */
export async function faultsOf(
  env: Environment,
  policy: CheckedPolicy,
  examined = examine(env, policy),
): Promise<PolicyFault[]> {
  const { compiled, faults } = examined;
  if (faults.length > 0) return [...faults];
  const results = await runTests(compiled, policy, policy.tests, env.clock.now());
  return results.flatMap((result, index): PolicyFault[] => {
    const { name, passed, expected, actual } = result;
    if (passed) return [];
    const message = `The test "${name}" expects ${expected} and gets ${actual}.`;
    return [{ pointer: `/tests/${index}`, code: "test_failed", message }];
  });
}

/**
 * Runs the tests of a policy in sequence, in turns of the event loop. All of them have one budget; behind it they end in
 * an error.
 */
export async function runTests(
  compiled: CompiledPolicy,
  policy: Pick<CheckedPolicy, "kind" | "params">,
  tests: readonly PolicyTest[],
  now: number,
): Promise<TestResult[]> {
  const [left, yielder, results] = [{ steps: LIMITS.testSteps as number }, new EventLoopYielder(), [] as TestResult[]];
  for (const test of tests) {
    if (yielder.isDue) await yielder.pass();
    results.push(runTest(compiled, policy, test, now, left));
  }
  return results;
}

/**
 * Runs a test as it is written, then with the numbers of free maps in their other type, and then with the stored parameters:
 * both may change what comes of it, and must not leave it without a result.
 */
function runTest(
  compiled: CompiledPolicy,
  policy: Pick<CheckedPolicy, "kind" | "params">,
  test: PolicyTest,
  now: number,
  left: Allowance,
): TestResult {
  const { name, input, expect: expected } = test;
  // A test's own parameters override the policy's.
  const own = input.params as object | undefined;
  const asWritten = outcome(compiled, policy, test, { ...policy.params, ...own }, now, left);
  const passed = asWritten.actual === expected;
  if (!passed || expected === "error") return { name, expected, passed, ...asWritten };
  const swapped = outcome(compiled, policy, test, { ...policy.params, ...own }, now, left, true);
  if (swapped.actual === "error") return { name, expected, passed: false, ...withAdvice(swapped) };
  if (own === undefined) return { name, expected, passed, ...asWritten };
  const stored = outcome(compiled, policy, test, { ...own, ...policy.params }, now, left);
  return stored.actual === "error"
    ? { name, expected, passed: false, ...stored }
    : { name, expected, passed, ...asWritten };
}

/** Says what to write where only the type of a number decides whether there is a result. */
function withAdvice({
  actual,
  results,
}: Pick<TestResult, "actual" | "results">): Pick<TestResult, "actual" | "results"> {
  const advice =
    "Numbers of free maps are whole or not by their value, and this rule takes one of both alone. Write double() or int() around them.";
  return {
    actual,
    results: results.map((result) =>
      result.outcome === "error" ? { ...result, message: `${advice} ${result.message}` } : result,
    ),
  };
}

function outcome(
  compiled: CompiledPolicy,
  { kind }: Pick<CheckedPolicy, "kind">,
  { input, rule }: PolicyTest,
  params: object,
  now: number,
  left: Allowance,
  swapped = false,
): Pick<TestResult, "actual" | "results"> {
  const given = new Prepared({ now: new Date(now).toISOString(), ...input, params });
  const values = swapped ? given.inOtherNumbers() : given;
  const chosen = {
    ...compiled,
    rules: compiled.rules.filter(({ rule: { key } }) => rule === undefined || key === rule),
  };
  if (left.steps <= 0) {
    const message = `The tests before it took all ${LIMITS.testSteps} steps that tests may take.`;
    return { actual: "error", results: [{ ruleKey: "", outcome: "error", message }] };
  }
  const most = Math.min(LIMITS.policySteps, left.steps);
  const allowance = { steps: most };
  const results =
    kind === "runtime"
      ? evaluateRuntime(chosen, values, allowance)
      : (evaluatePosture(chosen, values, allowance) ?? []);
  left.steps -= most - allowance.steps;
  const actual = kind === "runtime" ? strongest(results as RuntimeResult[]) : summed(results as PostureResult[]);
  return { actual, results };
}

/** Valid constructs that look like mistakes. */
export function warningsOf({ compiled }: Compilation, policy: CheckedPolicy): { pointer: string; message: string }[] {
  const constant = compiled.rules.flatMap(({ rule, condition }) =>
    condition.reads.some((path) => !path.startsWith("params."))
      ? []
      : [
          {
            pointer: `/rules/${policy.rules.indexOf(rule)}`,
            message: "It reads nothing of what it judges, so it always says the same.",
          },
        ],
  );
  const unread = Object.keys(policy.params)
    .filter((name) => !compiled.reads.some((path) => path === `params.${name}` || path.startsWith(`params.${name}[`)))
    .map((name) => ({ pointer: `/params/${name}`, message: "No rule reads it." }));
  const quiet = policy.tests.every(({ expect }) => ["pass", "skip", "none", "allow"].includes(expect));
  const untested = quiet ? [{ pointer: "/tests", message: "No test expects it to fail or to have an effect." }] : [];
  return [...constant, ...unread, ...untested];
}
