import { type Client, ProblemError } from "@reeve/client";
import { refusalOf } from "../remote/refusals.js";
import type { Server } from "../remote/server.js";
import type { PolicyInFile } from "./policy-files.js";

/** What the server says of a policy that it was shown. */
export interface CheckedPolicy extends PolicyInFile {
  readonly passed: boolean;
  readonly tests: number;
  /** What is wrong: faults of the policy, and tests that fail. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** Statuses in which a policy is evaluated, and so needs tests. */
const EVALUATED: readonly unknown[] = ["observe", "active"];

/** Has the server check policies and run their tests. It stores nothing. */
export async function checkPolicies(
  { client, address }: Server,
  policies: readonly PolicyInFile[],
  onProgress: (done: number) => void,
): Promise<CheckedPolicy[]> {
  const checked: CheckedPolicy[] = [];
  for (const policy of policies) {
    checked.push(await checkedBy(client, address, policy));
    onProgress(checked.length);
  }
  return checked;
}

async function checkedBy(client: Client, address: string, policy: PolicyInFile): Promise<CheckedPolicy> {
  try {
    const { data } = await client.POST("/api/v1/ai-governance/policies/validate", { body: policy.fields as never });
    const failed = data.tests
      .filter(({ passed }) => !passed)
      .map(({ name, expected, actual, results }) => {
        const said = results.map(({ ruleKey, outcome }) => `${ruleKey} ${outcome}`).join(", ");
        return `test "${name}" expects ${expected} and gets ${actual}${said === "" ? "" : ` (${said})`}`;
      });
    const untested = data.tests.length === 0 && data.faults.length === 0 && EVALUATED.includes(policy.fields.status);
    const faults = [
      ...data.faults.map(({ pointer, message }) => `${pointer}: ${message}`),
      ...failed,
      ...(untested ? [`it has no tests, and needs some to be ${policy.fields.status}`] : []),
    ];
    const warnings = data.warnings.map(({ pointer, message }) => `${pointer}: ${message}`);
    return { ...policy, passed: faults.length === 0, tests: data.tests.length, faults, warnings };
  } catch (error) {
    if (!ProblemError.is(error) || error.status !== 400) throw error;
    return { ...policy, passed: false, tests: 0, faults: refusalOf(error, address).reasons, warnings: [] };
  }
}

/** Lines about the policies that were checked. */
export function checkLines(checked: readonly CheckedPolicy[]): string[] {
  return checked.flatMap(({ key, file, passed, tests, faults, warnings }) => [
    `${passed ? "ok    " : "failed"}  ${key}  ${tests} ${tests === 1 ? "test" : "tests"}  ${file}`,
    ...faults.map((fault) => `        ${fault}`),
    ...warnings.map((warning) => `        warning: ${warning}`),
  ]);
}
