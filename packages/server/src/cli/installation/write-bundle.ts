import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../failure.js";
import { type InstallationFile, modeOf, replaceFile } from "./credential-file.js";

/** A file of a client, below its directory. */
export interface BundleFile {
  readonly path: string;
  readonly content: string;
}

/** What a server publishes to an installation, as far as it is written here. */
export interface Bundle {
  readonly agentId: string;
  readonly number: number;
  readonly digest: string;
  /** The signature. `null` where the server has to publish first. */
  readonly jws: string | null;
  readonly directory: string;
  readonly files: readonly BundleFile[];
  readonly closedFiles: readonly BundleFile[];
  readonly entries: readonly unknown[];
  readonly leftOut: readonly { readonly name: string; readonly reasons: readonly string[] }[];
}

/** The folders of clients. A server names no other place of a machine. */
const DIRECTORIES = [
  "/etc/claude-code",
  "/etc/codex",
  "/etc/github-copilot",
  "/etc/gemini-cli",
  "/etc/vscode",
  "/etc/cursor",
];

/** Names of files that stay below the directory. */
const PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** A bundle, checked against its digest. Throws a `Failure` for anything else, so that no half file is written. */
export function readBundle(value: unknown): Bundle {
  const bundle = Object(value) as Bundle;
  const { directory, files, closedFiles } = bundle;
  const all = [files, closedFiles].flat();
  const isFile = (one: BundleFile) => PATH.test(Object(one).path) && typeof one.content === "string";
  if (!DIRECTORIES.includes(directory) || !all.every(isFile))
    throw new Failure("the server has published no files that can be written");
  if (digestOf(directory, files) === bundle.digest) return bundle;
  throw new Failure("the files do not have the digest of the publication");
}

/** Writes the files that differ, each at once. Mode and owner of a file that is there stay. Returns what was written. */
export function writeFiles(directory: string, files: readonly BundleFile[]): string[] {
  return files.flatMap(({ path, content }) => {
    const file = join(directory, path);
    const there = contentOf(file);
    if (there === content) return [];
    replaceFile(file, content, there === undefined ? 0o644 : modeOf(file));
    return [file];
  });
}

/**
 * Gives the credential to a client that sends it itself: Claude Code takes variables of its environment from a drop-in of
 * the administrator, before those of its user. Whoever may read `file` may read the drop-in. Returns what was written.
 */
export function writeCredential(directory: string, file: string, { client, credential }: InstallationFile): string[] {
  if (client !== "claude-code") return [];
  const env = { REEVE_INSTALLATION_CREDENTIAL: credential };
  const content = `${JSON.stringify({ env }, null, 2)}\n`;
  const dropIn = join(directory, "managed-settings.d/50-reeve-credential.json");
  if (contentOf(dropIn) === content && modeOf(dropIn) === modeOf(file)) return [];
  replaceFile(dropIn, content, modeOf(file));
  return [dropIn];
}

/** Clients that run a program to get the headers of their telemetry. */
const RUN_HELPERS = ["claude-code", "codex"];

/** As hooks do, it looks for the program in folders of the system alone. */
const HELPER = `#!/bin/sh
exec env -u NODE_OPTIONS -u REEVE_INSTALLATION_FILE PATH=/usr/local/bin:/usr/bin:/bin reeve headers
`;

/** Writes the program that published files name, beside the credential. It holds no secret. Returns what was written. */
export function writeHelper(file: string, client: string): string[] {
  const helper = join(dirname(file), "otel-headers");
  if (!RUN_HELPERS.includes(client) || contentOf(helper) === HELPER) return [];
  replaceFile(helper, HELPER, 0o755);
  return [helper];
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** What is in force: how many of the files of a bundle are there, and the digest that they have as they are. */
export function foundOnDisk(folder: string, { directory, files }: Bundle) {
  const found = files.flatMap(({ path }) => {
    const content = contentOf(join(folder, path));
    return content === undefined ? [] : [{ content, path }];
  });
  return { digest: digestOf(directory, found), files: found.length };
}

/** The digest of the files that allow no server. */
export const closedDigestOf = ({ directory, closedFiles }: Bundle): string => digestOf(directory, closedFiles);

function digestOf(directory: string, files: readonly BundleFile[]): string {
  const canonical = JSON.stringify({ directory, files: files.map(({ content, path }) => ({ content, path })) });
  return createHash("sha256").update(canonical).digest("hex");
}

const beside = (file: string) => `${file}.bundle`;

/** A bundle with the tag under which the server gave it. */
export interface KeptBundle extends Bundle {
  readonly etag?: string | undefined;
}

/** Keeps a bundle beside the credential, for when the credential is refused, and to ask for news alone. */
export function keepBundle(file: string, bundle: KeptBundle): void {
  replaceFile(beside(file), JSON.stringify(bundle), 0o600);
}

/** When a bundle was last kept. */
export const keptAt = (file: string): Date => statSync(beside(file)).mtime;

/** The bundle that was kept. `undefined` when there is none. */
export function keptBundle(file: string): KeptBundle | undefined {
  const text = contentOf(beside(file));
  return text === undefined ? undefined : readBundle(JSON.parse(text));
}
