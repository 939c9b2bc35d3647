import { readOptions } from "./options.js";
import { DENO } from "./runners/npm.js";
import { RUNNERS, type Runner } from "./runners/runners.js";
import { looksSecret } from "./secrets.js";
import { WRAPPERS } from "./wrappers.js";

const NAME = { npm: /^(@[\w.-]+\/)?[\w.-]+$/, pypi: /^[\w.-]+$/, oci: /^[\w./:-]+$/ } as const;

export interface FoundPackage {
  readonly registryType: string;
  readonly identifier: string;
  readonly version: string | null;
}

/** What a command runs, as far as it can be told. */
export interface FoundCommand {
  readonly package?: FoundPackage;
  /** The server elsewhere that it only leads to. */
  readonly remote?: string;
}

/** Commands that start a command that starts a command, at most. */
const DEPTH = 3;
/** A package that leads to a server elsewhere, whose address is its first word. */
const PROXY = "mcp-remote";

/** What a command runs. It names nothing that it does not know how to read. */
export function commandOf(command: string, args: readonly string[], depth = 0): FoundCommand {
  const name = baseOf(command);
  if (Object.hasOwn(WRAPPERS, name)) {
    const [inner, ...words] = (depth < DEPTH && WRAPPERS[name]?.(args)) || [];
    return inner === undefined ? {} : commandOf(inner, words, depth + 1);
  }
  if (name === PROXY) return remoteOf(args);
  if (name === "deno") return denoPackage(args);
  const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  return runner ? runBy(runner, args) : {};
}

const baseOf = (command: string) =>
  command
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(cmd|exe)$/i, "") ?? "";

function runBy({ registryType, before, runs }: Runner, args: readonly string[]): FoundCommand {
  const first = before ? readOptions(args, before) : { packages: [], rest: args };
  if (!first) return {};
  const run = runs.find(({ words }) => words.every((word, at) => first.rest[at] === word));
  const read = run && readOptions(first.rest.slice(run.words.length), run.options);
  if (!read) return {};
  const packages = [...first.packages, ...read.packages];
  const [word, ...words] = read.rest;
  // Of several packages, nobody can tell which one is the server.
  const text = packages.length > 0 ? packages[0] : word;
  if (text === undefined || packages.length > 1) return {};
  const found = named(registryType, text);
  if (registryType === "npm" && found?.identifier === PROXY) return remoteOf(words);
  return found ? { package: found } : {};
}

function remoteOf([address = ""]: readonly string[]): FoundCommand {
  return /^https?:\/\//.test(address) && URL.canParse(address) ? { remote: address } : {};
}

/** Deno runs packages by addresses such as `npm:name@1.0.0`. */
function denoPackage(args: readonly string[]): FoundCommand {
  if (args[0] !== "run") return {};
  // No experiment takes a value, and a permission is held to something after `=`.
  const words = args.slice(1).map((word) => word.replace(/^--unstable-[a-z-]+$|^(-[RWINESPr]+)=.*$/s, shortened));
  const [first = ""] = readOptions(words, DENO)?.rest ?? [];
  const [, text] = /^npm:\/?(.+)$/.exec(first) ?? [];
  const found = text === undefined || text.replace(/^@[^/]*\//, "").includes("/") ? undefined : named("npm", text);
  return found ? { package: found } : {};
}

const shortened = (_word: string, permissions: string | undefined) => permissions ?? "--unstable";

function named(registryType: keyof typeof NAME, text: string): FoundPackage | undefined {
  if (text.length > 200 || looksSecret(text)) return undefined;
  const separator = registryType === "pypi" ? /(?:==|@)/ : registryType === "oci" ? /:(?=[^/]+$)/ : /(?<=.)@/;
  const [identifier = "", version = null] = text
    .replace(registryType === "pypi" ? /\[[\w,.-]*\]/ : /(?!)/, "")
    .split(separator);
  if (!NAME[registryType].test(identifier) || identifier.startsWith("-") || identifier.startsWith("."))
    return undefined;
  if (version !== null && !/^[\w.+-]{1,100}$/.test(version)) return undefined;
  return { registryType, identifier, version: version === "latest" ? null : version };
}
