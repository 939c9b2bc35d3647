import type { Command } from "commander";
import type { ExitCode, Invocation } from "../command.js";

/**
 * The action of a command. Each command is loaded only when it runs. One works in a store that is there, unless it says
 * that it makes one, needs none or looks for itself.
 */
export type Run = <Given extends unknown[]>(
  load: () => Promise<(invocation: Invocation, ...given: Given) => Promise<ExitCode>>,
  needs?: "store" | "nothing" | "makes one",
) => (...given: Given) => Promise<void>;

/** What is linesOf of a command beside its options. */
interface Help {
  readonly examples?: readonly string[];
  /** The variables that it reads, each with what it is for. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A command of `parent` with `--json`, which takes no more words than it names. */
export function command(parent: Command, name: string, description: string, help: Help = {}): Command {
  const made = parent.command(name).description(description).allowExcessArguments(false);
  const { examples = [], settings = {} } = help;
  if (examples.length > 0) made.addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
  if (Object.keys(settings).length > 0) made.addHelpText("after", `\nSettings:\n${linesOf(settings)}`);
  return made.option("--json", "the outcome as one JSON line on standard output, a list as one line for each item");
}

function linesOf(settings: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  return Object.entries(settings)
    .map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)
    .join("\n");
}

/** What each command reads that asks a server. */
export const REMOTE_SETTINGS = {
  REEVE_PROFILE: "the profile to use, unless --profile names one",
  REEVE_TOKEN: "a bearer token to use instead of a profile",
  REEVE_CLIENT_ID: "an AI identity to use instead of a profile, with its REEVE_CLIENT_SECRET",
  REEVE_BASE_URL: "the server of REEVE_TOKEN or REEVE_CLIENT_ID; http://127.0.0.1:4000 by default",
  XDG_CONFIG_HOME: "the folder of reeve/profiles.json; ~/.config by default",
} as const;

/** A command that asks a server. */
export function remote(parent: Command, name: string, description: string, examples: readonly string[] = []): Command {
  return command(parent, name, description, { examples, settings: REMOTE_SETTINGS }).option(
    "--profile <name>",
    "the sign-in to use",
  );
}

/** A command that only has commands of its own. */
export function group(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).helpCommand(false);
}
