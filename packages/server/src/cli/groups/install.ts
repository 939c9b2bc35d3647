import type { Command } from "commander";
import { command, type Run } from "./declare.js";
import { wholeNumber } from "./parse.js";

const FILE = { REEVE_INSTALLATION_FILE: "the file of the credential; /etc/reeve/installation.json by default" };

/** Commands for a machine on which agents run. */
export function declareInstallations(program: Command, run: Run): void {
  command(program, "enroll <server>", "enrol this machine by a code, and keep its credential", {
    examples: ["reeve enroll https://reeve.acme.example --client codex < code.txt"],
    settings: { REEVE_ENROLMENT_CODE: "the code, instead of a line of standard input", ...FILE },
  })
    .requiredOption("--client <name>", "claude-code, codex, copilot, gemini-cli, vscode, cursor, sdk or gateway")
    .option("--client-version <version>", "the version of the client")
    .option("--name <name>", "a name for the place; that of the machine unless it is named")
    .option("--file <file>", "where the credential is kept")
    .option("--shared", "everybody on the machine may read the credential")
    .action(run(() => import("../commands/enroll.js").then(({ enroll }) => enroll), "nothing"));
  command(program, "publish", "write the files that say what agents may use on this machine", {
    examples: ["reeve publish", "reeve publish --to ./files", "reeve publish --watch --every 60"],
    settings: FILE,
  })
    .option("--to <folder>", "where the files are written; the client's own folder unless it is named")
    .option("--file <file>", "where the credential is kept")
    .option("--watch", "go on, and write what has changed")
    .option("--pin", "trust the keys of the server anew, after they were replaced or it was restored")
    .option("--every <seconds>", "seconds between two looks", wholeNumber(5, 3_600), 60)
    .option("--servers <file>", "a file with the mcpServers that the client has, to be reported")
    .option("--client-version <version>", "the version of the client, to be reported")
    .action(run(() => import("../commands/publish.js").then(({ publish }) => publish), "nothing"));
  command(program, "headers", "print the headers of telemetry, for clients that run a program to get them", {
    examples: ["reeve headers"],
    settings: FILE,
  })
    .option("--file <file>", "where the credential is kept")
    .action(run(() => import("../commands/headers.js").then(({ headers }) => headers), "nothing"));
  command(program, "hook", "ask before a call of a tool, for hooks of clients that run a command", {
    examples: ["reeve hook --client codex"],
    settings: FILE,
  })
    .requiredOption("--client <name>", "the client that asks: claude-code, codex, gemini-cli or cursor")
    .option("--file <file>", "where the credential is kept")
    .option("--timeout <seconds>", "seconds until the call is blocked without an answer", wholeNumber(1, 60), 3)
    .action(run(() => import("../commands/hook.js").then(({ hook }) => hook), "nothing"));
}
