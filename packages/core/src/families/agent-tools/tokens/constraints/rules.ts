import type { ToolSpec } from "#connectors/index.js";
import { branchOf, fitsBranch, isBelow, isPlainName, isPlainPath } from "./paths.js";
import type { ToolConstraints } from "./schema.js";

type Args = Readonly<Record<string, unknown>>;
type Limits = Pick<ToolConstraints, "repositories" | "branches" | "pathPrefixes" | "readOnly">;

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(texts) : typeof value === "string" ? [value] : [];

/** Names of arguments that are compared with limits, and of those that name no repository, branch or path. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["repository", "repositories", "path", "paths", "files", "branch", "head", "ref", "base", "from"],
  ...["number", "title", "body", "comment", "message", "page", "content", "text", "query", "type", "severity"],
  ...["edits", "oldText", "newText", "encoding", "expectedCommit"],
]);

/** Whether text stands in an argument whose name says nothing of what it names. */
const namesTheUnknown = (args: Args): boolean =>
  Object.entries(args).some(([name, value]) => {
    if (!KNOWN.has(name)) return holdsText(value);
    const isList = (name === "files" || name === "edits") && Array.isArray(value);
    return isList ? value.some(namesMore) : holdsObject(value);
  });

/** Branches are named by a call and not by one of its files, where the same names may be those of paths. */
function namesMore(one: unknown): boolean {
  if (typeof one !== "object" || one === null) return false;
  const { from, base, head, ref, branch } = one as Args;
  return holdsText([from, base, head, ref, branch]) || namesTheUnknown(one as Args);
}

/** Whether text stands in an object, whose names are not looked at. */
function holdsObject(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsObject);
  return typeof value === "object" && value !== null && holdsText(value);
}

function holdsText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "string";
  return Object.values(value).some(holdsText);
}

/** What the arguments of a tool name. */
function namedBy(args: Args) {
  const files: readonly unknown[] = Array.isArray(args.files) ? args.files : [];
  return {
    repositories: [...texts(args.repository), ...texts(args.repositories)],
    paths: [
      ...texts(args.path),
      ...texts(args.paths),
      ...files.flatMap((file) => (typeof file === "string" ? file : texts((file as Args | null)?.path))),
    ],
    branches: [...texts(args.branch), ...texts(args.head), ...texts(args.ref)],
    others: [...texts(args.base), ...texts(args.from)],
  };
}

/** Whether a tool takes an argument of one of these names. */
function takes({ inputSchema }: ToolSpec, ...names: readonly string[]): boolean {
  const properties = (inputSchema as { properties?: object }).properties ?? {};
  return names.some((name) => Object.hasOwn(properties, name));
}

const REF = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;

/** Why arguments cannot be compared with limits at all: they have a spelling that could mean something else. */
export function misspelt(args: Args): string | undefined {
  const { repositories, paths, branches, others } = namedBy(args);
  if (!repositories.every(isPlainName)) return "A repository is spelt in a way that could mean another one.";
  if (!paths.every(isPlainPath)) return "A path is spelt in a way that could mean another one.";
  const isRef = (name: string) => REF.test(name) || branchOf(name) !== undefined;
  return [...branches, ...others].every(isRef) ? undefined : "A branch is spelt in a way that could mean another one.";
}

/** Why limits refuse a call; `undefined` when they do not. What names nothing cannot be known to be within a limit. */
export function refusedBy(limits: Limits, spec: ToolSpec, args: Args): string | undefined {
  const { repositories, paths, branches } = namedBy(args);
  if (limits.readOnly && spec.effect !== "read") return "Only tools that read are permitted.";
  if (limits.repositories) {
    const known = limits.repositories;
    if (repositories.length === 0 || !repositories.every((one) => known.includes(one)))
      return "The repository is not among those permitted.";
  }
  if ((limits.repositories || limits.pathPrefixes || limits.branches) && namesTheUnknown(args))
    return "The tool is given text that cannot be compared with what is permitted.";
  if (limits.pathPrefixes) {
    const prefixes = limits.pathPrefixes;
    const isAbout = takes(spec, "path", "paths", "files");
    if (!isAbout && spec.effect === "read") return "The tool reads beyond the paths permitted.";
    const isWithin = paths.length > 0 && paths.every((path) => prefixes.some((prefix) => isBelow(path, prefix)));
    // A tool that takes paths may mean another one by it.
    if (isAbout && texts(args.from).length > 0) return "The tool is given a source that may be a path.";
    if (isAbout && !isWithin) return "The path is not among those permitted.";
  }
  if (limits.branches && takes(spec, "branch", "head", "ref")) {
    const patterns = limits.branches;
    const names = branches.map(branchOf);
    const fits = (name: string | undefined) => name !== undefined && patterns.some((one) => fitsBranch(name, one));
    if (names.length === 0 || !names.every(fits)) return "The branch is not among those permitted.";
  }
  return undefined;
}

/** A limit in a form that is not understood permits nothing. */
function listOf(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const all = Array.isArray(value) ? value : [value];
  return all.every((one) => typeof one === "string") ? all : [];
}

/** What the parameters of a grant narrow, as far as they are about repositories, branches and paths. */
export function limitsOf(parameters: Args): Limits {
  return {
    repositories: listOf(parameters.repositories),
    branches: listOf(parameters.branches),
    pathPrefixes: listOf(parameters.pathPrefixes),
    readOnly: parameters.readOnly === true,
  };
}
