import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { Failure } from "../failure.js";
import type { ExitCode } from "./command.js";
import { declareDecisions } from "./groups/decide.js";
import type { Run } from "./groups/declare.js";
import { declareEstate } from "./groups/estate.js";
import { declareInstallations } from "./groups/install.js";
import { declareOperations } from "./groups/operate.js";
import { declarePolicies } from "./groups/policy.js";
import { declareProjects } from "./groups/project.js";
import { declareSignIns } from "./groups/sign-in.js";
import { type Output, processOutput } from "./output.js";

const EXIT_CODES = `
Exit codes:
  0  done
  1  could not be done; each reason is a line on standard error
  2  done, and something was found or refused

Secrets come from the environment or standard input, never from options, so that none stands in a list of processes.`;

/** Runs `reeve <args>`. Resolves to the exit code, or to `undefined` while a server runs. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const output = processOutput(args.includes("--json"), env);
  let code: ExitCode;
  const run: Run =
    (load, needs = "store") =>
    async (...given) => {
      const command = await load();
      if (needs === "store")
        await import("./require-store.js").then(({ requireStore }) => requireStore({ env, output }));
      code = await command({ env, output }, ...given);
    };
  try {
    await programOf(run).parseAsync(args.length === 0 ? ["serve"] : args, { from: "user" });
    return code;
  } catch (error) {
    return failed(error, output);
  }
}

/** The exit code of an expected failure, which it prints. Rethrows any other error. */
function failed(error: unknown, output: Output): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    output.fail(new Failure(usageFault(error)));
    return 1;
  }
  if (!(error instanceof Failure)) throw error;
  output.fail(error);
  return 1;
}

/** A fault in the arguments, without what was given, which may be a secret. */
function usageFault({ code, message }: CommanderError): string {
  const [, meant] = /\(Did you mean (.+)\?\)/.exec(message) ?? [];
  const hint = meant === undefined ? "see reeve --help" : `did you mean ${meant}?`;
  if (code === "commander.excessArguments") return `too many words; ${hint}`;
  if (code === "commander.unknownCommand") return `unknown command; ${hint}`;
  if (code === "commander.help") return `a command is missing; ${hint}`;
  return `${message
    .replace(/^error: /, "")
    .replace(/\n[\s\S]*/, "")
    .replace(/=[^']*'/, "'")}; ${hint}`;
}

function programOf(run: Run): Command {
  const program = new Command("reeve")
    .description("A control plane for an organisation's AI estate. Without a command it serves.")
    .version(manifest.version)
    .helpCommand(false)
    .addHelpText("after", EXIT_CODES)
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  program.commandsGroup("Signing in:");
  declareSignIns(program, run);
  program.commandsGroup("The estate:");
  declareEstate(program, run);
  program.commandsGroup("Decisions and stops:");
  declareDecisions(program, run);
  program.commandsGroup("Machines with agents:");
  declareInstallations(program, run);
  program.commandsGroup("Policies in files:");
  declarePolicies(program, run);
  program.commandsGroup("Your project and shell:");
  declareProjects(program, run);
  program.commandsGroup("Operating a server:");
  declareOperations(program, run);
  return program;
}
