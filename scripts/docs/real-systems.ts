import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RealSystem } from "@reeve/testkit/programs";
import { root } from "../lib/workspace.mjs";
import { code, markdownPage, type ReferencePage, table } from "./markdown.js";

/** The version of a system that Debian follows month by month. */
export const NEWEST = "newest";
const ENDING = ".system.ts";

/** Every system that a `<name>.system.ts` beside tests of packages declares, by kind and name. */
export async function realSystems(): Promise<RealSystem[]> {
  const files = ["packages", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => systemFiles(join(folder, name, "test"))),
  );
  const made = await Promise.all(files.map((file) => import(pathToFileURL(join(root, file)).href)));
  const systems = made.flatMap((module) => Object.values(module) as RealSystem[]);
  return systems.sort((a, b) => (`${a.kind}\n${a.name}` < `${b.kind}\n${b.name}` ? -1 : 1));
}

function systemFiles(folder: string): string[] {
  try {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    return files.filter((file) => file.endsWith(ENDING)).map((file) => join(folder, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ENOTDIR")
      return [];
    throw error;
  }
}

/** The version that tests run: of npm as the manifest pins it, of Debian as the declaration says. */
export function versionOf({ name, source }: RealSystem): string {
  if ("debian" in source) return source.version;
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, source.manifest), "utf8"),
  );
  const version: string | undefined = { ...dependencies, ...optionalDependencies, ...devDependencies }[source.npm];
  if (version === undefined) throw new Error(`${source.manifest} has no ${source.npm}, which ${name} is`);
  return version.replace(/^(npm:.*@|\^|~)/, "");
}

/** The page *Real systems*: what tests run as it comes, what must be set, and what stays unknown. */
export async function realSystemsPage(): Promise<ReferencePage> {
  const systems = await realSystems();
  const kinds = [...new Set(systems.map(({ kind }) => kind))];
  return markdownPage("real-systems.md", "Real systems", [
    "The tests of Reeve run these systems as their packages bring them, with their defaults but for the named settings. A test\nchecks this page against the tests and the installed versions. A suite whose system is not installed is skipped by name.",
    ...kinds.flatMap((kind) => [`## ${kind}`, ...systems.filter((each) => each.kind === kind).flatMap(section)]),
  ]);
}

function section(system: RealSystem): string[] {
  const { name, source, tests, tried, suites = [], mustSet, unknown } = system;
  const from = "debian" in source ? `${code(source.debian)} of Debian` : `${code(source.npm)} of npm`;
  const links = tests.map((file) => `[${code(file.split("/").at(-1) ?? file)}](../../${file})`);
  const list = (texts: readonly string[]) => (texts.length > 0 ? texts.join("<br>") : "None.");
  return [
    `### ${name}`,
    table(
      ["", ""],
      [
        ["Version", `${versionOf(system)}, ${from}`],
        ["Tried", list([...suites, ...tried])],
        ["Must be set", list(mustSet)],
        ["Stays unknown", list(unknown)],
        ["Tests", links.join(", ")],
      ],
    ),
  ];
}
