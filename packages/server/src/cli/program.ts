import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { Failure } from "../failure.js";
import type { ExitCode, Invocation } from "./command.js";
import { type Output, processOutput } from "./output.js";

const EXIT_CODES = `
Exit codes:
  0  done
  1  could not be done; each reason is a line on standard error
  2  done, and something was found or refused

Settings come from the environment, never from options, so that no secret stands in a list of processes.`;

const CHECKPOINTS =
  "a file of checkpoints kept elsewhere, one a line, to compare the chains with; 2 when one ends before";

/** Runs `reeve <args>`. Resolves to the exit code, or to `undefined` while a server runs. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const output = processOutput(args.includes("--json"));
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
    await programOf(run).parseAsync(args, { from: "user" });
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

/** A fault in the arguments, without the values of options, which may be secrets. */
function usageFault({ code, message }: CommanderError): string {
  if (code === "commander.excessArguments" || code === "commander.unknownCommand")
    return "unknown command or too many words; see reeve --help";
  return `${message.replace(/^error: /, "").replace(/=[^']*'/, "'")}; see reeve --help`;
}

/**
 * The action of a command. Each command is loaded only when it runs. One works in a store that is there, unless it says
 * that it makes one, needs none or looks for itself.
 */
type Run = <Given extends unknown[]>(
  load: () => Promise<(invocation: Invocation, ...given: Given) => Promise<ExitCode>>,
  needs?: "store" | "nothing" | "makes one",
) => (...given: Given) => Promise<void>;

function programOf(run: Run): Command {
  const program = new Command("reeve")
    .description("A control plane for an organisation's AI estate. Without a command it serves.")
    .version(manifest.version)
    .helpCommand(false)
    .addHelpText("after", EXIT_CODES)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .allowExcessArguments(false)
    .action(run(() => import("./commands/serve.js").then(({ serve }) => serve), "makes one"));
  const command = (name: string, description: string, parent = program) => {
    const made = parent.command(name).description(description).allowExcessArguments(false);
    return made.option("--json", "the outcome as one JSON line on standard output");
  };
  command("serve", "start the server").action(
    run(() => import("./commands/serve.js").then(({ serve }) => serve), "makes one"),
  );
  command("migrate", "make or upgrade the schema")
    .option("--dry-run", "only say how many migrations are missing; exit code 2 when there are any")
    .option("--sql <file>", "write what is missing to a new file instead, for an administrator to run")
    .action(run(() => import("./commands/migrate.js").then(({ migrate }) => migrate), "makes one"));
  command(
    "create-admin <username>",
    "make an administrator of the provider, with a password from standard input",
  ).action(run(() => import("./commands/create-admin.js").then(({ createAdmin }) => createAdmin), "makes one"));
  command("verify-events", "verify the chain of events of every tenant")
    .option("--checkpoints <file>", CHECKPOINTS)
    .action(run(() => import("./commands/verify-events.js").then(({ verifyEvents }) => verifyEvents)));
  command("backup <file>", "write a verified copy of the database into a new file").action(
    run(() => import("./commands/backup.js").then(({ backup }) => backup), "nothing"),
  );
  command("restore <file>", "put a verified backup where no database is")
    .option("--checkpoints <file>", CHECKPOINTS)
    .action(run(() => import("./commands/restore.js").then(({ restore }) => restore), "makes one"));
  command("after-restore", "end tokens, codes and links that a backup restored otherwise has brought back").action(
    run(() => import("./commands/after-restore.js").then(({ endRestored }) => endRestored)),
  );
  command("doctor", "check what the settings name: store, clock, master key, mail, outgoing calls, disk").action(
    run(() => import("./commands/doctor.js").then(({ doctor }) => doctor), "nothing"),
  );
  command("rotate-keys", "wrap all data keys by the master key in use")
    .option("--data-keys", "seal every stored secret under a new data key too")
    .action(run(() => import("./commands/rotate-keys.js").then(({ rotateKeys }) => rotateKeys)));
  command("import <file>", "import AI assets from a file with a JSON object on each line")
    .requiredOption("--tenant <id>", "the tenant that they belong to")
    .requiredOption("--user <id>", "the user who imports them")
    .action(run(() => import("./commands/import.js").then(({ importFile }) => importFile)));
  command("report", "file the report on compliance of a running server, with the bearer token in REEVE_TOKEN")
    .option("--draft", "take a report without filing it")
    .option("--out <directory>", "where to put the page and the JSON", ".")
    .action(run(() => import("./commands/report.js").then(({ report }) => report), "nothing"));
  const connector = program.command("connector").description("write connectors").helpCommand(false);
  command(
    "new <name>",
    "write a connector that works, with its test, into a new folder of that name",
    connector,
  ).action(run(() => import("./commands/connector-new.js").then(({ newConnector }) => newConnector), "nothing"));
  return program;
}
