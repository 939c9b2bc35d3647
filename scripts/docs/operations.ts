import { CAPABILITIES, effectOf, errorCodesOf, type Operation, TAGS } from "@reeve/core/reference";
import { clientCalls } from "./client-calls.js";
import { anchor, code, codes, markdownPage, type ReferencePage, table } from "./markdown.js";

/** Every operation by tag, with its requirements and errors. */
export function operationsPage(operations: readonly Operation[]): ReferencePage {
  const tags = TAGS.filter((tag) => operations.some((operation) => operation.tag === tag));
  const common = commonCodes(operations);
  const calls = clientCalls(operations);
  const described = (operation: Operation) => section(operation, common, calls.get(operation.id));
  return markdownPage("operations.md", "Operations", [
    `${operations.length} operations. Parameters, bodies and answers are described in [openapi.json](openapi.json); ` +
      "codes in [errors.md](errors.md); who may call what in [permissions.md](permissions.md). " +
      "[Which operation do I want](tasks.md) has them by what one wants to do.",
    "**Extension** marks operations beyond the published interface. **Root route** marks those that are mounted only " +
      "with `rootRoutes: true`, **reference** and **console** those that are mounted only with the option of that name.",
    "The code below an operation is its call by [`@reeve/client`](../guides/client.md).",
    `Every operation can also answer ${codes(common)}.`,
    `Capabilities: ${Object.entries(CAPABILITIES)
      .map(([key, name]) => `${code(key)} (${name})`)
      .join("; ")}.`,
    tags.map((tag) => `- [${tag}](#${anchor(tag)})`).join("\n"),
    ...tags.flatMap((tag) => [`## ${tag}`, ...inTag(operations, tag).map(described)]),
  ]);
}

function inTag(operations: readonly Operation[], tag: string): Operation[] {
  return operations.filter((operation) => operation.tag === tag);
}

/** The codes that all operations share, listed once at the top. */
function commonCodes(operations: readonly Operation[]): string[] {
  const [first, ...others] = operations.map((operation) => errorCodesOf(operation) as string[]);
  return (first ?? []).filter((candidate) => others.every((list) => list.includes(candidate)));
}

function section(operation: Operation, common: readonly string[], call: string | undefined): string {
  const own = errorCodesOf(operation).filter((candidate) => !common.includes(candidate));
  const marks = [
    ...(operation.extension ? ["extension"] : []),
    ...(operation.mount === "root" ? ["root route"] : []),
    ...(operation.mount === "reference" || operation.mount === "console" ? [operation.mount] : []),
  ];
  const rows = [
    ["Id", code(operation.id)],
    ["Access", accessOf(operation)],
    ...(marks.length > 0 ? [["Marks", marks.join(", ")]] : []),
    ...(operation.deprecated
      ? [
          [
            "Deprecated",
            `since ${operation.deprecated.since}; use ${code(operation.deprecated.successor)}, from ${operation.deprecated.sunset} on only that`,
          ],
        ]
      : []),
    ["Effect", EFFECTS[effectOf(operation)]],
    ["Success", String(operation.success.status)],
    ["Errors", own.length > 0 ? codes(own) : "none of its own"],
    ...(operation.killSwitches ? [["Kill switches", codes(operation.killSwitches)]] : []),
  ];
  return [
    `### ${operation.method} ${operation.path}`,
    `${operation.summary}.${operation.description ? ` ${operation.description}` : ""}`,
    table(["", ""], rows),
    ...(call === undefined ? [] : [`\`\`\`ts\n${call}\n\`\`\``]),
  ].join("\n\n");
}

const EFFECTS = {
  read: "reads",
  write: "writes, in one transaction with its event",
  own: "opens its own transactions",
} as const;

/** Who may call an operation, as text. */
export function accessOf({ access }: Operation): string {
  if (access === "public") return "anyone, without a token";
  if (access === "signed-in") return "anyone signed in";
  const capability = access.capability ? `, capability ${code(access.capability)}` : "";
  const provider = access.provider ? ", in the provider's own tenant" : "";
  return `permission ${code(access.permission)}${capability}${provider}`;
}
