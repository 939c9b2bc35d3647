import type { Operation } from "@reeve/core/reference";
import { anchor, code, markdownPage, type ReferencePage, table } from "./markdown.js";

/** What people want to do, each with the verbs that the summaries of operations begin with. */
const TASKS: Readonly<Record<string, readonly string[]>> = {
  "Find and read": [
    "List",
    "Find",
    "Read",
    "Show",
    "Tell",
    "See",
    "Describe",
    "Give",
    "Count",
    "Sum",
    "Export",
    "Compare",
    "Look",
    "Follow",
  ],
  "Register, set up and import": [
    ...[
      "Register",
      "Enrol",
      "Create",
      "Set",
      "Store",
      "Import",
      "Plan",
      "Upload",
      "Adopt",
      "Install",
      "Write",
      "Make",
      "Claim",
    ],
    ...["Issue", "Assign", "Grant", "Enrol"],
  ],
  Change: [
    "Change",
    "Replace",
    "Merge",
    "Move",
    "Put",
    "Hand",
    "Narrow",
    "Have",
    "Let",
    "Do",
    "Report",
    "Say",
    "Say,",
    "Turn",
  ],
  "Ask for something": ["Ask", "Submit", "Begin", "Start", "Send", "Answer", "Comment"],
  "Decide what waits": ["Approve", "Reject", "Refuse", "Decide", "Confirm", "Certify", "Meet"],
  "Test, evaluate and verify": ["Test", "Check", "Evaluate", "Run", "Scan", "Verify", "File"],
  "Stop, end and take back": [
    ...[
      "Halt",
      "Stop",
      "Suspend",
      "Terminate",
      "Engage",
      "Disable",
      "Revoke",
      "End",
      "Take",
      "Cancel",
      "Close",
      "Remove",
    ],
    ...["Delete", "Release", "Withdraw"],
  ],
  "Go on after a stop": ["Resume", "Lift", "Suspend,"],
  "Sign in and get tokens": ["Sign", "Prove", "Exchange", "Trade", "Mail"],
};

/** Every operation by what one wants to do with it, but for deprecated ones. Throws for a verb that stands nowhere. */
export function tasksPage(operations: readonly Operation[]): ReferencePage {
  const offered = operations.filter(
    ({ deprecated, mount }) => !deprecated && mount !== "reference" && mount !== "console",
  );
  const verbs = new Set(Object.values(TASKS).flat());
  const lost = offered.filter((operation) => !verbs.has(verbOf(operation)));
  if (lost.length > 0) throw new Error(`TASKS has no place for ${lost.map(({ id, summary }) => `${id}: ${summary}`)}`);
  return markdownPage("tasks.md", "Which operation do I want", [
    `${offered.length} operations by what one wants to do. The id is what \`controlPlane.call\` and \`reeve call\` take, and leads to ` +
      "the permissions, codes and the call of the typed client. Fields are in [openapi.json](openapi.json).",
    Object.keys(TASKS)
      .map((task) => `- [${task}](#${anchor(task)})`)
      .join("\n"),
    ...Object.entries(TASKS).flatMap(([task, own]) => [
      `## ${task}`,
      table(
        ["To", "Call", "Over HTTP"],
        own.flatMap((verb) => offered.filter((operation) => verbOf(operation) === verb).map(row)),
      ),
    ]),
  ]);
}

const verbOf = ({ summary }: Operation): string => summary.split(" ")[0] ?? "";

function row({ summary, id, method, path }: Operation): string[] {
  const link = `operations.md#${anchor(`${method} ${path}`)}`;
  return [summary.charAt(0).toLowerCase() + summary.slice(1), `[${code(id)}](${link})`, code(`${method} ${path}`)];
}
