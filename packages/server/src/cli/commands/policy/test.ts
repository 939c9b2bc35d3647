import type { ExitCode, Invocation } from "../../command.js";
import { checkLines, checkPolicies } from "../../policies/check-policies.js";
import { policiesIn } from "../../policies/policy-files.js";
import { type RemoteOptions, withServer } from "../../remote/server.js";

/** Checks policies in files and runs their tests. Exit code 2 when one fails. */
export async function testPolicies(
  invocation: Invocation,
  paths: readonly string[],
  options: RemoteOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const policies = policiesIn(paths);
  const checked = await withServer(invocation, options, (server) =>
    checkPolicies(server, policies, (done) => output.progress(`${done} of ${policies.length} policies checked`)),
  );
  output.list(
    checked.map(({ fields: _, ...said }) => said),
    checkLines(checked),
  );
  const failed = checked.filter(({ passed }) => !passed).length;
  const tests = checked.reduce((sum, each) => sum + each.tests, 0);
  output.print(`${checked.length} policies, ${tests} tests: ${failed === 0 ? "all pass" : `${failed} policies fail`}`);
  return failed === 0 ? 0 : 2;
}
