import { type Operation, TAGS } from "@reeve/core";
import { anchor, markdownPage, type ReferencePage, table } from "./markdown.js";

/** Operations of the published interface, built or not. */
const PUBLISHED = 199;

/** Which areas of the published interface exist, so that nobody has to find out by trying. */
export function coveragePage(operations: readonly Operation[]): ReferencePage {
  const built = operations.filter((operation) => !operation.extension);
  const rows = TAGS.map((tag) => ({
    tag,
    published: built.filter((operation) => operation.tag === tag).length,
    extensions: operations.filter((operation) => operation.tag === tag && operation.extension).length,
  }));
  const there = rows.filter(({ published, extensions }) => published + extensions > 0);
  const absent = rows.filter((row) => !there.includes(row));
  return markdownPage("coverage.md", "Coverage", [
    `${built.length} of the ${PUBLISHED} published operations exist, and ${operations.length - built.length} extensions.`,
    "## What exists",
    table(
      ["Area", "Published operations", "Extensions"],
      there.map(({ tag, published, extensions }) => [
        `[${tag}](operations.md#${anchor(tag)})`,
        String(published),
        String(extensions),
      ]),
    ),
    "## What is not built yet",
    absent.length === 0 ? "Every area has operations." : absent.map(({ tag }) => `- ${tag}`).join("\n"),
  ]);
}
