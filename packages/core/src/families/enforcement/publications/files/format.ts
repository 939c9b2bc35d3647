import type { McpServer } from "#families/estate/index.js";
import type { Entry, PublishedFile } from "../fields.js";

/** What files are written for. */
export interface FilesFor {
  readonly entries: readonly Entry[];
  /** Where Reeve is reached, without a slash at the end. */
  readonly baseUrl: string;
}

/** The files of one client, by which its administrator says what may be used. */
export interface Format {
  /** Where the files stand on Linux. */
  readonly directory: string;
  /** The version of the client that the files were tried with. `null` where its documentation alone was read. */
  readonly triedWith: string | null;
  /** What the client does not compare or hold to, in words. */
  readonly notControlled: readonly string[];
  /** A server as the client is told of it. `undefined` for one that its files cannot express without meaning more. */
  entryOf(server: McpServer, name: string): Entry | undefined;
  files(of: FilesFor): PublishedFile[];
}

/** A server by its address, or by the program that the client starts. */
export function entryOf({ assetId, url, launch }: McpServer, name: string): Entry | undefined {
  if (url !== null) return { assetId, name, url, command: null, args: [], heldTo: "url" };
  if (launch === null) return undefined;
  return { assetId, name, url: null, ...launch, heldTo: "command_and_arguments" };
}

/** The same, unless the client would replace a part of it: a variable, or a wildcard. */
export function plainEntryOf(server: McpServer, name: string, replaced: RegExp): Entry | undefined {
  const entry = entryOf(server, name);
  const texts = entry ? [entry.url ?? "", entry.command ?? "", ...entry.args] : [];
  return texts.some((text) => replaced.test(text)) ? undefined : entry;
}

/** Servers as lists of Claude Code, Copilot and VS Code name them: by address, or by program and every argument. */
export const allowedServers = (entries: readonly Entry[]) =>
  entries.map(({ url, command, args }) => (url === null ? { serverCommand: [command, ...args] } : { serverUrl: url }));

/** A JSON file, whose members stand in the order they were given. */
export const jsonFile = (path: string, value: object): PublishedFile => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
});

/** The definition of a server for clients that read `mcpServers`. */
export const definitionOf = ({ url, command, args }: Entry) =>
  url === null ? { command, args } : { type: "http", url };

/** Servers by name, as an object without a prototype, since a name may be that of a property. */
export function byName<T>(entries: readonly Entry[], of: (entry: Entry) => T): Record<string, T> {
  return Object.fromEntries(entries.map((entry) => [entry.name, of(entry)]));
}
