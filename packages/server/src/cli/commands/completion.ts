import type { Command } from "commander";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { treeOf } from "../shell/command-tree.js";
import { SHELLS } from "../shell/shells.js";

/** Prints the script that completes the commands and options of `reeve` in a shell. */
export async function completion(
  { output }: Invocation,
  shell: string,
  _options: object,
  command: Command,
): Promise<ExitCode> {
  if (!Object.hasOwn(SHELLS, shell)) throw new Failure(`a shell is one of ${Object.keys(SHELLS).join(", ")}`);
  output.text(SHELLS[shell as keyof typeof SHELLS](treeOf(command.parent as Command)));
  return 0;
}
