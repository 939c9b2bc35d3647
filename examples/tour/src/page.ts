const WIDTH = 88;
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
const bold = paint(1);
const dim = paint(2);
const green = paint(32);
const yellow = paint(33);
const red = paint(31);

let chapters = 0;

function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** Begins a chapter. `about` says what it shows. */
export function chapter(title: string, about: string): void {
  chapters += 1;
  print();
  print(bold(`${chapters}. ${title}`));
  print(dim(`   ${about}`));
}

/** Prints a step that succeeded as expected. */
export function done(text: string): void {
  print(`   ${green("✓")} ${text}`);
}

/** Prints a step that was refused as expected. */
export function refused(text: string): void {
  print(`   ${yellow("✗")} ${text}`);
}

/** Prints a detail of the line before. */
export function note(text: string): void {
  print(dim(`     ${text}`));
}

/** Prints rows under headings. Each column is as wide as its widest cell, and the last one is cut at the page width. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) => {
    const text = cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
    return `     ${text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text}`;
  };
  print(dim(line(headings)));
  for (const row of rows) print(line(row));
}

/** Prints the title and the meaning of the marks. */
export function title(text: string, about: string): void {
  print(bold(text));
  print(dim(about));
  print(`${green("✓")} ${dim("done, and answered as expected")}   ${yellow("✗")} ${dim("refused, as it should be")}`);
}

/** Prints the closing lines. */
export function closing(text: string, facts: readonly (readonly [string, string])[]): void {
  print();
  print(bold(text));
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) print(`   ${dim(name.padEnd(width))}  ${value}`);
}

/** Prints what went wrong. */
export function failure(lines: readonly string[]): void {
  process.stderr.write(`\n${lines.map((line) => red(line)).join("\n")}\n`);
}
