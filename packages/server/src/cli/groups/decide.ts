import type { Command } from "commander";
import { type Run, remote } from "./declare.js";
import { limitOf } from "./parse.js";

const REASON = ["--reason <text>", "why, for the record"] as const;
const SEEN = [
  "--seen <version>",
  "the version or digest that reeve show tells; refused when it is another by now",
] as const;
const YES = ["--yes", "do not ask on a terminal"] as const;

/** Commands that decide and stop. */
export function declareDecisions(program: Command, run: Run): void {
  remote(program, "reviews", "list what waits for a decision, the most urgent first", [
    "reeve reviews --mine",
    "reeve reviews --kind asset_review,exemption --json",
  ])
    .option("--mine", "only what is yours to decide")
    .option("--kind <kinds>", "kinds of review, as the guide of reviews lists them")
    .option("--status <names>", "waiting, overdue, lapsed")
    .option("--asset <id-or-name>", "about one asset")
    .option("--limit <number>", "how many to show at most", limitOf, 50)
    .action(run(() => import("../commands/reviews.js").then(({ reviews }) => reviews), "nothing"));
  remote(program, "approve <review>", "approve what waits", [
    "reeve approve rvw_01JZ… --reason 'Looked at its tools and its data.'",
    "reeve approve rvw_01JZ… --seen 4 --yes",
  ])
    .option(...REASON)
    .option(...SEEN)
    .option("--evidence <reference>", "what shows that a condition is met, as the address of a document")
    .option("--until <time>", "until when a difference of access is accepted")
    .option(...YES)
    .action(run(() => import("../commands/approve.js").then(({ approve }) => approve), "nothing"));
  remote(program, "reject <review>", "reject what waits", ["reeve reject rvw_01JZ… --reason 'It has no sponsor yet.'"])
    .option(...REASON)
    .option(...SEEN)
    .option(...YES)
    .action(run(() => import("../commands/reject.js").then(({ reject }) => reject), "nothing"));
  remote(program, "suspend <asset>", "suspend an asset, and the sessions of an agent with it", [
    "reeve suspend 'Support agent' --reason 'It pays back too much.'",
  ])
    .option(...REASON)
    .action(run(() => import("../commands/suspend.js").then(({ suspend }) => suspend), "nothing"));
  remote(program, "terminate <agent-or-session>", "terminate a session, or every open session of an agent", [
    "reeve terminate 'Support agent' --reason 'It was taken over.'",
    "reeve terminate ses_01JZ…",
  ])
    .option(...REASON)
    .action(run(() => import("../commands/terminate.js").then(({ terminate }) => terminate), "nothing"));
  remote(program, "halt <scope> [target]", "halt all agents, those of a team, or an MCP server with its tools", [
    "reeve halt all-agents --reason 'We are under attack.'",
    "reeve halt team payments",
    "reeve halt mcp-server 'Ticket tools'",
  ])
    .option(...REASON)
    .option("--finding <id>", "the finding that is the cause")
    .action(run(() => import("../commands/halt.js").then(({ halt }) => halt), "nothing"));
  remote(program, "halts", "list halts that are in force", ["reeve halts", "reeve halts --all"])
    .option("--all", "those that were lifted too")
    .option("--limit <number>", "how many to show at most", limitOf, 50)
    .action(run(() => import("../commands/halts.js").then(({ halts }) => halts), "nothing"));
  remote(program, "lift <halt>", "lift a halt; a critical one takes two people", [
    "reeve lift hlt_01JZ… --reason 'The agent was mended and looked at.'",
  ])
    .option(...REASON)
    .action(run(() => import("../commands/lift.js").then(({ lift }) => lift), "nothing"));
}
