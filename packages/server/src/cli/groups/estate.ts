import type { Command } from "commander";
import { type Run, remote } from "./declare.js";
import { limitOf } from "./parse.js";

const LIMIT = ["--limit <number>", "how many to show at most", limitOf, 50] as const;

/** Commands that look at the estate. */
export function declareEstate(program: Command, run: Run): void {
  remote(program, "assets", "list AI assets", [
    "reeve assets --type agent --environment production",
    "reeve assets --governance under_review,suspended --limit 200",
    "reeve assets --search refund --json | jq -r .id",
  ])
    .option("--search <text>", "those that have this text")
    .option("--type <types>", "agent, tool, model, identity, mcp_server, dataset, prompt, application, other")
    .option("--environment <names>", "development, test, staging, production, unknown")
    .option(
      "--governance <states>",
      "unreviewed, under_review, approved, conditionally_approved, rejected, suspended, expired",
    )
    .option("--lifecycle <states>", "registered, discovered, development, validation, production, deprecated, retired")
    .option("--risk <tiers>", "minimal, limited, high, prohibited, unclassified")
    .option("--owner <ids>", "ids of owners")
    .option("--team <ids>", "ids of teams")
    .option("--label <labels>", "<name>=<value>")
    .option("--sort <field>", "createdAt, updatedAt or name; with a dash before it the other way round")
    .option(...LIMIT)
    .action(run(() => import("../commands/assets.js").then(({ assets }) => assets), "nothing"));
  remote(program, "show <id-or-name>", "show a record by its id, or an asset by its name", [
    "reeve show ast_01JZ…",
    'reeve show "Support agent"',
    "reeve show rvw_01JZ…",
  ]).action(run(() => import("../commands/show.js").then(({ show }) => show), "nothing"));
  remote(program, "activity [id-or-name]", "list what has happened, to one record or in the tenant, newest first", [
    'reeve activity "Support agent" --from 2026-03-01 --to 2026-04-01',
    "reeve activity --severity WARN,ERROR",
  ])
    .option("--from <time>", "from this time on, as 2026-03-01 or 2026-03-01T09:00:00Z")
    .option("--to <time>", "before this time")
    .option("--type <types>", "types of events, as asset.created")
    .option("--severity <names>", "INFO, WARN, ERROR")
    .option(...LIMIT)
    .action(run(() => import("../commands/activity.js").then(({ activity }) => activity), "nothing"));
  remote(program, "findings", "list findings, the gravest first", [
    "reeve findings --severity critical,high",
    'reeve findings --asset "Support agent" --status open',
  ])
    .option(
      "--status <names>",
      "open, acknowledged, in_progress, fix_claimed, exempted, dismissed, resolved, closed",
      "open,acknowledged,in_progress,fix_claimed",
    )
    .option("--severity <names>", "info, low, medium, high, critical")
    .option("--asset <id-or-name>", "of one asset")
    .option("--policy <id>", "of one policy")
    .option("--overdue", "those past their due date")
    .option(...LIMIT)
    .action(run(() => import("../commands/findings.js").then(({ findings }) => findings), "nothing"));
  remote(program, "call <operation>", "call any operation by its id, and print the answer as JSON", [
    "reeve call me.read",
    "reeve call aiAssets.list --query assetType=agent --query size=5",
    "reeve call aiAssets.read --param id=ast_01JZ…",
    'reeve call aiAssets.create --body \'{"name": "Support agent", "assetType": "agent"}\'',
    "reeve call aiGovernance.exportEvents > events.jsonl",
  ])
    .option("--param <name=value...>", "a parameter of the path")
    .option("--query <name=value...>", "a parameter of the query")
    .option("--body <json>", "the body: JSON, @<file>, or - for standard input")
    .option("--seen <version>", "refuse when the record has changed since this version")
    .action(run(() => import("../commands/call.js").then(({ call }) => call), "nothing"));
}
