import type { ExitCode, Invocation } from "../../command.js";
import { type AppliedPolicy, applyPolicy } from "../../policies/apply-policy.js";
import { checkLines, checkPolicies } from "../../policies/check-policies.js";
import { policiesByKey } from "../../policies/compare-policy.js";
import { policiesIn } from "../../policies/policy-files.js";
import { type RemoteOptions, withServer } from "../../remote/server.js";
import { tableOf } from "../../view/table.js";

/** Has the server hold the policies of files, once all pass. Exit code 2 when one fails, waits or is refused. */
export async function applyPolicies(
  invocation: Invocation,
  paths: readonly string[],
  { reason, ...options }: RemoteOptions & { reason?: string },
): Promise<ExitCode> {
  const { output } = invocation;
  const policies = policiesIn(paths);
  return withServer(invocation, options, async (server) => {
    const checked = await checkPolicies(server, policies, (done) => output.progress(`${done} policies checked`));
    const failed = checked.filter(({ passed }) => !passed);
    if (failed.length > 0) {
      output.list(
        failed.map(({ key, file, faults }) => ({ key, file, outcome: "failed", why: faults.join("; ") })),
        checkLines(failed),
      );
      output.print(`${failed.length} of ${policies.length} policies fail; none was applied`);
      return 2;
    }
    const stored = await policiesByKey(server.client);
    const applied: AppliedPolicy[] = [];
    for (const policy of policies) {
      applied.push(await applyPolicy(server, policy, stored.get(policy.key), reason));
      output.progress(`${applied.length} of ${policies.length} policies applied`);
    }
    output.list(applied, tableOf(applied, COLUMNS, output.width));
    output.print(countsOf(applied));
    return applied.some(({ outcome }) => outcome === "waits" || outcome === "refused") ? 2 : 0;
  });
}

const COLUMNS = [
  { title: "outcome", of: ({ outcome }: AppliedPolicy) => outcome, whole: true as const },
  { title: "policy", of: ({ key }: AppliedPolicy) => key, whole: true as const },
  { title: "changed", of: ({ fields }: AppliedPolicy) => fields.join(", ") },
  { title: "why", of: ({ why }: AppliedPolicy) => why },
];

function countsOf(applied: readonly AppliedPolicy[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of applied) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return `${applied.length} policies: ${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`;
}
