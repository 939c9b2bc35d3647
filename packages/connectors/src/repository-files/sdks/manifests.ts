import { lineAt, lineOfKey } from "../lines.js";
import { isTable, jsonTree, propertiesOf, tomlOf } from "../mcp/entries.js";
import type { Ecosystem } from "./sdks.js";

/** A package that a manifest names. */
export interface Dependency {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version?: string;
  /** The line that names it, from 1. It is looked for only where it is wanted. */
  line(): number;
}

/** Reads the packages that a manifest names. Throws `UnusableFile` where it cannot. */
export type DependencyReader = (text: string) => readonly Dependency[];

/** Files that name the packages of a program. */
export const manifests: readonly { readonly path: RegExp; readonly read: DependencyReader }[] = [
  { path: /(^|\/)package\.json$/, read: ofPackageJson },
  { path: /(^|\/)requirements[^/]*\.(txt|in)$|(^|\/)requirements\/[^/]+\.(txt|in)$/, read: ofRequirements },
  { path: /(^|\/)pyproject\.toml$/, read: ofPyproject },
  { path: /(^|\/)go\.mod$/, read: byLine("go", /^\s*(?:require\s+)?([\w.-]+\.[a-z]+\/\S+)\s+(v[\w.+-]+)/, "//") },
  { path: /(^|\/)pom\.xml$/, read: ofPom },
  {
    path: /(^|\/)Gemfile$/,
    read: byLine("rubygems", /^\s*gem\s*\(?\s*["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?/, "#"),
  },
  { path: /(^|\/)Cargo\.toml$/, read: ofCargo },
  {
    path: /(^|\/)(Directory\.Packages\.props|[^/]+\.(cs|fs|vb)proj)$/,
    read: ofMsbuild,
  },
];

/** Characters of a line that names a package. */
const LONGEST_LINE = 1_000;

function byLine(ecosystem: Ecosystem, pattern: RegExp, comment: string): DependencyReader {
  return (text) =>
    text.split("\n").flatMap((line, at) => {
      if (line.length > LONGEST_LINE) return [];
      const [, name, version] = pattern.exec(line.split(comment, 1)[0] ?? "") ?? [];
      return name ? [dependency(ecosystem, name, version, () => at + 1)] : [];
    });
}

function ofPackageJson(text: string): readonly Dependency[] {
  const groups = new Set(["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]);
  return propertiesOf(jsonTree(text))
    .filter(({ name }) => groups.has(name))
    .flatMap(({ value }) => propertiesOf(value))
    .map(({ name, value, offset }) => dependency("npm", name, value.value, () => lineAt(text, offset)));
}

const REQUIREMENT = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*((?:[=<>~!]=?=?)[^;#]*)?/;

function ofRequirements(text: string): readonly Dependency[] {
  return byLine("pypi", REQUIREMENT, "#")(text);
}

function ofPyproject(text: string): readonly Dependency[] {
  const { project, tool, "dependency-groups": groups } = tomlOf(text);
  const lists = [
    ...(isTable(project) ? [project.dependencies, ...valuesOf(project["optional-dependencies"])] : []),
    ...valuesOf(groups),
  ];
  const poetry = isTable(tool) && isTable(tool.poetry) ? tool.poetry : {};
  const tables = [poetry.dependencies, ...valuesOf(poetry.group).map((group) => isTable(group) && group.dependencies)];
  return [
    ...lists.flatMap((list) => requirements(list, text)),
    ...tables.flatMap((table) => ofTable("pypi", table, text)),
  ];
}

function requirements(list: unknown, text: string): readonly Dependency[] {
  return (Array.isArray(list) ? list : []).flatMap((given) => {
    const [, name, version] = REQUIREMENT.exec(typeof given === "string" ? given : "") ?? [];
    return name ? [dependency("pypi", name, version, () => lineOfKey(text, name))] : [];
  });
}

function ofCargo(text: string): readonly Dependency[] {
  const root = tomlOf(text);
  const places = [root, ...valuesOf(root.target), root.workspace].filter(isTable);
  const tables = places.flatMap((place) => [
    place.dependencies,
    place["dev-dependencies"],
    place["build-dependencies"],
  ]);
  return tables.flatMap((table) => ofTable("cargo", table, text));
}

/** Packages by name, with a version or a table that has one. */
function ofTable(ecosystem: Ecosystem, table: unknown, text: string): readonly Dependency[] {
  if (!isTable(table)) return [];
  return Object.entries(table).map(([key, value]) => {
    const name = isTable(value) && typeof value.package === "string" ? value.package : key;
    return dependency(ecosystem, name, isTable(value) ? value.version : value, () => lineOfKey(text, key));
  });
}

function ofPom(text: string): readonly Dependency[] {
  const plain = withoutComments(text);
  const found = plain.matchAll(
    /<groupId>\s*([\w.-]{1,200})\s*<\/groupId>\s*<artifactId>\s*([\w.-]{1,200})\s*<\/artifactId>(?:\s*<version>\s*([^<\s]{1,100})\s*<\/version>)?/g,
  );
  return [...found].map(({ 1: group, 2: artifact, 3: version, index }) =>
    dependency("maven", `${group}:${artifact}`, version, () => lineAt(plain, index + 1)),
  );
}

function ofMsbuild(text: string): readonly Dependency[] {
  const plain = withoutComments(text);
  const found = plain.matchAll(
    /<Package(?:Reference|Version)\s+Include="([\w.-]{1,200})"(?:\s+Version="([^"]{1,100})")?/g,
  );
  return [...found].map(({ 1: name, 2: version, index }) =>
    dependency("nuget", name as string, version, () => lineAt(plain, index + 1)),
  );
}

/** XML with each comment as blanks, so that lines stay. */
const withoutComments = (text: string) =>
  text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, " "));

const valuesOf = (table: unknown): readonly unknown[] => (isTable(table) ? Object.values(table) : []);

/** Ranges that are addresses are left out, since they may hold credentials. */
function dependency(ecosystem: Ecosystem, name: string, version: unknown, line: () => number): Dependency {
  const range = typeof version === "string" ? version.trim() : "";
  const isRange = range.length > 0 && range.length <= 100 && !/[:/@]/.test(range);
  return { ecosystem, name, line, ...(isRange ? { version: range } : {}) };
}
