// Indents the declarations of a built package by tabs: four spaces a level are a fifth of their size.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = "dist";
for (const name of readdirSync(folder).filter((file) => /\.d\.c?ts$/.test(file))) {
  const file = join(folder, name);
  const text = readFileSync(file, "utf8");
  // Comments continue with a space before their star, which stays.
  const indented = text.replace(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
  if (indented !== text) writeFileSync(file, indented);
}
