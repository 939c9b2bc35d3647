/** A generated file: its path below its folder, and its text. */
export interface ReferencePage {
  readonly file: string;
  readonly text: string;
}

const NOTICE = "<!-- Generated from the source by `npm run docs:generate`. Do not edit. -->";

/** A page of Markdown blocks with a title and a notice not to edit it. */
export function markdownPage(file: string, title: string, blocks: readonly string[]): ReferencePage {
  return { file, text: `${[NOTICE, `# ${title}`, ...blocks].join("\n\n")}\n` };
}

/** A Markdown table. Cells may contain Markdown; characters that would break the row are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => " --- |").join("")}`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(", ");
}

/** The link fragment of a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
