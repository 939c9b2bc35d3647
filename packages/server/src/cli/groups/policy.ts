import type { Command } from "commander";
import { group, type Run, remote } from "./declare.js";

const FILES = "policies in JSON or YAML, by file or folder";

/** Commands for policies that are kept in files. */
export function declarePolicies(program: Command, run: Run): void {
  const policy = group(program, "policy", `test, compare and apply ${FILES}`);
  remote(policy, "test <paths...>", "check policies and run their tests, without storing anything; 2 when one fails", [
    "reeve policy test policies/",
    "reeve policy test policies/has-owner.yaml --json",
  ]).action(run(() => import("../commands/policy/test.js").then(({ testPolicies }) => testPolicies), "nothing"));
  remote(policy, "diff <paths...>", "show where the server differs from the files; 2 when it does", [
    "reeve policy diff policies/",
  ]).action(run(() => import("../commands/policy/diff.js").then(({ diffPolicies }) => diffPolicies), "nothing"));
  remote(policy, "apply <paths...>", "have the server hold what the files say; 2 when something waits or is refused", [
    "reeve policy apply policies/ --reason 'Pull request 42.'",
  ])
    .option("--reason <text>", "why, for the record")
    .action(run(() => import("../commands/policy/apply.js").then(({ applyPolicies }) => applyPolicies), "nothing"));
  remote(policy, "pull <folder>", "write the policies of the server into new files, one for each", [
    "reeve policy pull policies/",
  ]).action(run(() => import("../commands/policy/pull.js").then(({ pullPolicies }) => pullPolicies), "nothing"));
}
