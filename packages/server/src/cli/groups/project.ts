import type { Command } from "commander";
import { command, type Run } from "./declare.js";

/** Commands that write into a project, or for a shell. */
export function declareProjects(program: Command, run: Run): void {
  command(program, "init", "add Reeve to the Express or Fastify project of this folder", {
    examples: ["reeve init", "reeve init --framework fastify --file src/governance.ts"],
  })
    .option("--framework <name>", "express or fastify; what package.json names unless it is given")
    .option("--file <path>", "where the code that mounts Reeve goes; reeve.js or reeve.ts unless it is given")
    .action(run(() => import("../commands/init.js").then(({ init }) => init), "nothing"));
  program
    .command("completion <shell>")
    .description("print what completes commands in bash, zsh or fish")
    .allowExcessArguments(false)
    .addHelpText(
      "after",
      `
Examples:
  source <(reeve completion bash)                                    # in ~/.bashrc
  reeve completion zsh > "\${fpath[1]}/_reeve"
  reeve completion fish > ~/.config/fish/completions/reeve.fish`,
    )
    .action(run(() => import("../commands/completion.js").then(({ completion }) => completion), "nothing"));
}
