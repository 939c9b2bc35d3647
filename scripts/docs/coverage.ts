import { type Operation, TAGS } from "@reeve/core/reference";
import type { Published } from "../../packages/core/test/fixtures/published-operations.js";
import { anchor, code, markdownPage, type ReferencePage, table } from "./markdown.js";

/** Which published operations exist and which are missing. */
export function coveragePage(operations: readonly Operation[], published: readonly Published[]): ReferencePage {
  const built = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const missing = published.filter(([method, path]) => !built.has(`${method} ${path}`));
  const tags = TAGS.map((tag) => ({ tag, all: operations.filter((operation) => operation.tag === tag) }));
  return markdownPage("coverage.md", "Coverage", [
    `${published.length - missing.length} of the ${published.length} published operations exist, and ` +
      `${operations.filter((operation) => operation.extension).length} extensions.`,
    "## What exists",
    table(
      ["Area", "Published operations", "Extensions"],
      tags
        .filter(({ all }) => all.length > 0)
        .map(({ tag, all }) => [
          `[${tag}](operations.md#${anchor(tag)})`,
          String(all.filter((operation) => !operation.extension).length),
          String(all.filter((operation) => operation.extension).length),
        ]),
    ),
    "## What is not built yet",
    missing.length === 0 ? "Nothing is missing." : missingByArea(missing),
  ]);
}

/** The missing operations, by the first segment of their path. */
function missingByArea(missing: readonly Published[]): string {
  const areas = new Map<string, string[]>();
  for (const [method, path] of missing) {
    const short = path.replace(/^\/api\/v1/, "");
    const area = short.split("/")[1] ?? "";
    areas.set(area, [...(areas.get(area) ?? []), code(`${method} ${short}`)]);
  }
  const rows = [...areas].map(([area, list]) => [code(area), list.join("<br>")]);
  return table(["Path", "Operations"], rows);
}
