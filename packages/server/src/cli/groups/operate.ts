import type { Command } from "commander";
import { importCommand } from "../import/options.js";
import { command, group, type Run } from "./declare.js";

const CHECKPOINTS =
  "a file of checkpoints kept elsewhere, one a line, to compare the chains with; 2 when one ends before";

/** Commands of those who operate a server: they work in its store, by the settings of the environment. */
export function declareOperations(program: Command, run: Run): void {
  command(program, "serve", "start the server").action(
    run(() => import("../commands/serve.js").then(({ serve }) => serve), "makes one"),
  );
  command(program, "migrate", "make or upgrade the schema")
    .option("--dry-run", "only say how many migrations are missing; exit code 2 when there are any")
    .option("--sql <file>", "write what is missing to a new file instead, for an administrator to run")
    .action(run(() => import("../commands/migrate.js").then(({ migrate }) => migrate), "makes one"));
  command(program, "distribute", "distribute the tables of a migrated database over the nodes of a Citus cluster")
    .option("--dry-run", "only say where each table belongs; exit code 2 when any is left to do")
    .option("--sql <file>", "write the statements to a new file instead; exit code 2 when any is left to do")
    .action(run(() => import("../commands/distribute.js").then(({ distribute }) => distribute)));
  command(
    program,
    "create-admin <username>",
    "make an administrator of the provider, with a password from standard input",
  ).action(run(() => import("../commands/create-admin.js").then(({ createAdmin }) => createAdmin), "makes one"));
  command(program, "verify-events", "verify the chain of events of every tenant")
    .option("--checkpoints <file>", CHECKPOINTS)
    .action(run(() => import("../commands/verify-events.js").then(({ verifyEvents }) => verifyEvents)));
  command(program, "backup <file>", "write a verified copy of the database into a new file").action(
    run(() => import("../commands/backup.js").then(({ backup }) => backup), "nothing"),
  );
  command(program, "restore <file>", "put a verified backup where no database is")
    .option("--checkpoints <file>", CHECKPOINTS)
    .action(run(() => import("../commands/restore.js").then(({ restore }) => restore), "makes one"));
  command(
    program,
    "after-restore",
    "end tokens, codes and links that a backup restored otherwise has brought back",
  ).action(run(() => import("../commands/after-restore.js").then(({ endRestored }) => endRestored)));
  command(
    program,
    "doctor",
    "check what the settings name: store, clock, master key, mail, outgoing calls, issuers, disk",
  ).action(run(() => import("../commands/doctor.js").then(({ doctor }) => doctor), "nothing"));
  command(program, "rotate-keys", "wrap all data keys by the master key in use")
    .option("--data-keys", "seal every stored secret under a new data key too")
    .action(run(() => import("../commands/rotate-keys.js").then(({ rotateKeys }) => rotateKeys)));
  importCommand(command(program, "import <file>", "import AI assets from a table (CSV), a JSON list or lines")).action(
    run(() => import("../commands/import.js").then(({ importFile }) => importFile)),
  );
  command(program, "report", "file the report on compliance of a running server, with the bearer token in REEVE_TOKEN")
    .option("--draft", "take a report without filing it")
    .option("--out <directory>", "where to put the page and the JSON", ".")
    .option("--pdf", "print the page as PDF too, where Chromium is installed")
    .action(run(() => import("../commands/report.js").then(({ report }) => report), "nothing"));
  command(
    group(program, "connector", "write connectors"),
    "new <name>",
    "write a connector that works, with its test, into a new folder of that name",
  ).action(run(() => import("../commands/connector-new.js").then(({ newConnector }) => newConnector), "nothing"));
}
