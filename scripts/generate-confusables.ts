// Writes the table of look-alike characters from Unicode's list:
//   npx tsx scripts/generate-confusables.ts <confusables.txt>
// The list is https://www.unicode.org/Public/security/<version>/confusables.txt (Unicode Technical Standard 39).
import { readFileSync, writeFileSync } from "node:fs";
import { root, say } from "./lib/workspace.mjs";

const TARGET = "packages/core/src/families/estate/mcp-servers/warnings/confusables.json";

const [source] = process.argv.slice(2);
if (!source) throw new Error("Name the file confusables.txt.");
const list = readFileSync(source, "utf8");
const version = /^# Version: (\S+)/m.exec(list)?.[1] ?? "unknown";

const isPlain = (text: string) => /^[a-z0-9]+$/.test(text);
const withoutMarks = (text: string) => text.normalize("NFKD").replaceAll(/[\p{M}\p{Cf}]/gu, "");
const read = (codes: string) => String.fromCodePoint(...codes.split(" ").map((code) => Number.parseInt(code, 16)));

const entries = [...list.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gm)].map(([, from = "", to = ""]) => {
  return [read(from), withoutMarks(read(to)).toLowerCase()] as const;
});

const table = new Map<string, string>();
// ASCII letters stay as they are. ASCII signs and digits map to the letters they look like.
for (const [from, to] of entries) {
  if (isPlain(to) && !/[a-zA-Z]/.test(from) && !isPlain(withoutMarks(from).toLowerCase())) table.set(from, to);
  if (/^[01|]$/.test(from)) table.set(from, to);
}
// A small letter that is not listed looks like its capital.
for (const [from, to] of [...table]) {
  const small = from.toLowerCase();
  if (small !== from && [...small].length === 1 && !table.has(small)) table.set(small, to);
}

const groups = new Map<string, string[]>();
for (const [from, to] of table) groups.set(to, [...(groups.get(to) ?? []), from]);
const characters = Object.fromEntries(
  [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([to, group]) => [to, group.sort().join("")]),
);

const content = {
  source: `Unicode's confusables.txt, version ${version}, by scripts/generate-confusables.ts`,
  notice: "Copyright © Unicode, Inc. Used under the Unicode License: https://www.unicode.org/license.txt",
  characters,
};
writeFileSync(`${root}/${TARGET}`, `${JSON.stringify(content, null, 2)}\n`);
say(`${table.size} characters of Unicode ${version} in ${TARGET}`);
