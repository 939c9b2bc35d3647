// Indents the declarations of a built package by tabs, because four spaces per level are a fifth of their size.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = "dist";
for (const name of readdirSync(folder).filter((file) => /\.d\.c?ts$/.test(file))) {
  const file = join(folder, name);
  const text = readFileSync(file, "utf8");
  // The space before the star of a comment stays.
  const indented = text.replace(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
  if (indented !== text) writeFileSync(file, indented);
}
