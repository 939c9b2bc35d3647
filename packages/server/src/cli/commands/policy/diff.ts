import type { ExitCode, Invocation } from "../../command.js";
import { comparePolicy, policiesByKey, wantedOf } from "../../policies/compare-policy.js";
import type { Difference } from "../../policies/differences.js";
import { policiesIn } from "../../policies/policy-files.js";
import { type RemoteOptions, withServer } from "../../remote/server.js";

/** Shows where the policies of the server differ from the files. Exit code 2 when they do. */
export async function diffPolicies(
  invocation: Invocation,
  paths: readonly string[],
  options: RemoteOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const files = policiesIn(paths);
  const stored = await withServer(invocation, options, ({ client }) => policiesByKey(client));
  const compared = files.map((file) => {
    const policy = stored.get(file.key);
    const differences = policy ? comparePolicy(policy, wantedOf(file, policy)) : [];
    const state = policy ? (differences.length === 0 ? "same" : "differs") : "absent";
    return { key: file.key, file: file.file, state, differences, waits: policy?.pending != null };
  });
  const other = compared.filter(({ state }) => state !== "same");
  output.list(
    compared,
    other.flatMap(({ key, file, state, differences, waits }) => [
      `${state === "absent" ? "+" : "~"} ${key}  ${file}${waits ? "  (a change waits for a second person)" : ""}`,
      ...differences.flatMap(linesOf),
    ]),
  );
  const known = new Set(files.map(({ key }) => key));
  const extra = [...stored.values()].filter(({ key, managedBy }) => managedBy === "tenant" && !known.has(key));
  if (extra.length > 0) output.print(`in no file: ${extra.map(({ key }) => key).join(", ")}`);
  output.print(other.length === 0 ? `${files.length} policies are the same` : `${other.length} policies differ`);
  return other.length === 0 ? 0 : 2;
}

function linesOf({ place, is, wanted }: Difference): string[] {
  return [`    ${place}`, `      - ${JSON.stringify(is) ?? "absent"}`, `      + ${JSON.stringify(wanted) ?? "absent"}`];
}
