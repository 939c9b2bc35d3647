import { type Command, Option } from "commander";

const EXAMPLES = `
Each item of the file is an asset: what POST /api/v1/ai-assets takes, with \`externalRef.id\`, by which a later import
knows it again, and its typed record under \`record\`. A JSON line:

  {"name": "Claims triage", "assetType": "agent", "provider": "cmdb", "environment": "production",
   "owner": {"type": "user", "id": "ada@acme.example"}, "externalRef": {"id": "CI-4711"},
   "record": {"framework": "langgraph"}}

In a table, columns have the names of properties, with dots for inner ones, or are mapped to them:

  reeve import estate.csv --tenant acme --user ada@acme.example --map "CI id=externalRef.id" \\
    --map owner_email=owner --map hosting=record.hosting --default provider=cmdb --dry-run

Texts become what a property wants: an e-mail address or a name becomes an owner, "a, b" a list, "Production" a
term, "2026-01-31 09:30:00" a time in UTC. A mapping file says more, such as which words stand for which:

  {"columns": {"CI id": "externalRef.id", "Owner": "owner", "Class": "assetType", "Remarks": null},
   "values": {"riskTier": {"low": "minimal", "medium": "limited", "high": "high"},
              "environment": {"prod": "production", "qa": "test"}},
   "constants": {"provider": "cmdb"}, "defaults": {"environment": "unknown"}}

A column that names no property is left out and named. An asset that is there already is changed where the item
differs. Exit code 2 when items are refused.`;

const collect = (value: string, before: readonly string[]) => [...before, value];

/** Declares the options of an import. */
export function importCommand(command: Command): Command {
  return command
    .requiredOption("--tenant <tenant>", "the tenant that they belong to: its id, subdomain or name")
    .requiredOption("--user <user>", "the user who imports them: an id or e-mail address")
    .addOption(
      new Option("--format <format>", "by default as the extension says, or how the file begins").choices([
        "csv",
        "json",
        "jsonl",
      ]),
    )
    .option("--map <column=property>", "the property of a column, none to leave it out; may be repeated", collect, [])
    .option("--default <property=value>", "a value for items that have none; may be repeated", collect, [])
    .option(
      "--mapping <file>",
      "a JSON file with columns, words and constants; or one of servicenow, mlflow, spreadsheet",
    )
    .option("--dry-run", "store nothing; say what would be created, updated, unchanged and refused")
    .option(
      "--baseline",
      "what the first evaluation finds on new assets is the baseline, and ranks below other findings",
    )
    .addHelpText("after", EXAMPLES);
}
