import type { Link } from "../relations/link.js";

/** What holds an asset, in words that follow "its". */
const HOLDERS: Readonly<Record<Link["type"], string>> = {
  exposes: "MCP server",
  runs_as: "identity",
  uses: "model",
  delegates_to: "parent agent",
  hosted_on: "host",
  derived_from: "origin",
};

const WORDS: Readonly<Record<string, string>> = {
  not_found: "no longer exists",
  "lifecycle:retired": "is retired",
  "approval:expired": "has an approval that ran out",
  "containment:too_large": "depends on more assets than can be checked",
};

/** What is halted with an asset, by the scope of the halt. */
const HALTED_WITH: Readonly<Record<string, string>> = { all_agents: " with all agents", team: " with its team" };

/** A reason of a denial in words that follow a subject. */
function predicateOf(reason: string): string {
  const known = WORDS[reason];
  if (known !== undefined) return known;
  const [kind = "", ...rest] = reason.split(":");
  const value = rest.join(":").replaceAll("_", " ");
  if (kind === "kill_switch") return `is stopped by the kill switch ${rest.join(":")}`;
  if (kind === "halt") return `is halted${HALTED_WITH[rest[0] ?? ""] ?? ""} (\`${rest[1]}\`)`;
  if (kind === "production_without_approval") return "runs in production without an approval";
  if (kind === "condition_overdue") return `has the overdue condition ${rest.join(":")}`;
  return `is ${value}`;
}

/** One step from an asset to what it depends on. */
export interface Step {
  readonly id: string;
  /** `null` when there is no such asset any more. */
  readonly name: string | null;
  readonly relation: Link["type"];
}

/** A denial in words: of the asset itself, or of what the path from it leads to. */
export function wordsOf(path: readonly Step[], reason: string): string {
  if (path.length === 0) return `It ${predicateOf(reason)}.`;
  const steps = path.map(({ relation, name, id }) => `${HOLDERS[relation]} \`${name ?? id}\``);
  return `Its ${steps.join("'s ")} ${predicateOf(reason)}.`;
}
