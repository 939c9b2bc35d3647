import type { Command } from "commander";
import { command, type Run, remote } from "./declare.js";

const FILE = { XDG_CONFIG_HOME: "the folder of reeve/profiles.json, which keeps the token; ~/.config by default" };

/** Commands about who asks. */
export function declareSignIns(program: Command, run: Run): void {
  command(program, "login [server]", "sign in at a server, with the password from standard input, and keep the token", {
    examples: [
      "reeve login https://reeve.acme.example --user ada@acme.example",
      "reeve login https://reeve.acme.example --profile acme --user ada@acme.example < password.txt",
      "reeve login https://reeve.acme.example --token < token.txt",
    ],
    settings: {
      REEVE_BASE_URL: "the server, unless one is named; http://127.0.0.1:4000 by default",
      REEVE_PROFILE: "the profile to keep it in, unless --profile names one",
      ...FILE,
    },
  })
    .option("--user <name>", "the user name; asked for on a terminal")
    .option("--tenant <subdomain>", "the tenant, where several know the user name")
    .option("--token", "take a bearer token from standard input instead of a password")
    .option("--profile <name>", "the profile to keep it in; `default` unless it is named")
    .action(run(() => import("../commands/login.js").then(({ login }) => login), "nothing"));
  remote(program, "logout", "end the token at the server and forget it")
    .option("--all", "of every profile")
    .action(run(() => import("../commands/logout.js").then(({ logout }) => logout), "nothing"));
  remote(program, "whoami", "say who asks, with which roles, and what waits").action(
    run(() => import("../commands/whoami.js").then(({ whoami }) => whoami), "nothing"),
  );
  command(program, "profiles [name]", "list the sign-ins that are kept, or use one from now on", {
    examples: ["reeve profiles", "reeve profiles acme"],
    settings: FILE,
  }).action(run(() => import("../commands/profiles.js").then(({ profiles }) => profiles), "nothing"));
}
