import { existsSync, readFileSync } from "node:fs";
import { Failure } from "../../failure.js";
import { askAs } from "./ask.js";
import type { InstallationFile } from "./credential-file.js";
import { foundOnDisk, keptAt, keptBundle } from "./write-bundle.js";

const PATIENCE_MS = 30_000;

/** A server in a file with `mcpServers`, as most clients have it. */
interface Server {
  readonly name: string;
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
}

export interface Reported {
  /** Where the files of the client stand, if elsewhere than the client looks for them. */
  readonly folder: string | undefined;
  /** A file with the `mcpServers` that the client has. */
  readonly servers: string | undefined;
  readonly clientVersion: string | undefined;
}

/** Tells the server what is in force here, by the files as they are on disk. Says what is made of it. */
export async function report(file: string, installation: InstallationFile, of: Reported): Promise<string | undefined> {
  const bundle = keptBundle(file);
  if (!bundle) return undefined;
  const body = {
    ...foundOnDisk(of.folder ?? bundle.directory, bundle),
    fetchedAt: keptAt(file).toISOString(),
    ...(of.clientVersion === undefined ? {} : { clientVersion: of.clientVersion }),
    ...(of.servers === undefined ? {} : { servers: serversIn(of.servers) }),
  };
  const answer = await askAs(installation, "/api/v1/ai/installation/report", JSON.stringify(body), PATIENCE_MS);
  return String(Object(answer).effect);
}

/** The servers in a file of a client. A file that is not there has none; a `Failure` for one that cannot be read. */
function serversIn(file: string): Server[] {
  if (!existsSync(file)) return [];
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new Failure(`${file} cannot be read as JSON`);
  }
  const { mcpServers } = Object(value);
  return Object.entries(Object(mcpServers)).map(([name, given]) => {
    const { url, httpUrl, command, args } = Object(given);
    if (typeof command !== "string") return { name, url: String(url ?? httpUrl) };
    return { name, command, args: Array.isArray(args) ? args.map(String) : [] };
  });
}
