import { createHash } from "node:crypto";
import type { DiscoveredAsset, LeftOutPart, RejectedItem } from "@reeve/core/connectors";
import { Parts } from "../parts.js";
import { type RepositoryFile, type Snapshot, UnusableFile } from "./file.js";
import { type FileKind, kindOf } from "./kinds.js";
import { FILE_LIMITS } from "./limits.js";
import { entriesOf } from "./mcp/entries.js";
import { serverOf } from "./mcp/server.js";
import type { DependencyReader } from "./sdks/manifests.js";
import { sdkOf } from "./sdks/match.js";

/** What one file says of AI. */
export interface FileFinds {
  readonly assets: readonly DiscoveredAsset[];
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly LeftOutPart[];
}

/** A file while it is read. */
interface Reading {
  readonly repository: Snapshot;
  readonly path: string;
  readonly text: string;
  /** Where it is about one find, its id is given. */
  reject(reason: string, id?: string): void;
  warn(parts: readonly LeftOutPart[]): void;
}

/** The id of what a file holds. It stays when the repository is renamed. */
export const idOf = ({ id }: Snapshot, path: string, name?: string) =>
  name === undefined ? `${id}:${path}` : `${id}:${path}#${name}`;

/** Reads one file. It never throws for what stands in it. */
export function findsIn(repository: Snapshot, { path }: RepositoryFile, text: string): FileFinds {
  const rejected: RejectedItem[] = [];
  const warnings: LeftOutPart[] = [];
  const reject = (reason: string, id = idOf(repository, path)) => void rejected.push({ externalId: id, reason });
  const warn = (parts: readonly LeftOutPart[]) => void warnings.push(...parts);
  try {
    const assets = assetsOf({ repository, path, text, reject, warn }, kindOf(path));
    if (assets.length > FILE_LIMITS.finds) reject(`It holds more than ${FILE_LIMITS.finds} finds.`);
    return { assets: assets.slice(0, FILE_LIMITS.finds), rejected, warnings };
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    reject(error.message);
    return { assets: [], rejected, warnings };
  }
}

function assetsOf(reading: Reading, kind: FileKind | undefined): readonly DiscoveredAsset[] {
  const { path, text } = reading;
  if (!kind) return [];
  if (UNSEEN.test(path)) throw new UnusableFile("Its name holds characters that are not seen.");
  if (text.includes("\0")) throw new UnusableFile("It is no text.");
  if (kind.kind === "mcp") return serversIn(reading, kind);
  if (kind.kind === "manifest") return applicationIn(reading, kind.read);
  return instructionsIn(reading, kind);
}

function serversIn(reading: Reading, { client, format }: Extract<FileKind, { kind: "mcp" }>): DiscoveredAsset[] {
  const { repository, path, text, reject, warn } = reading;
  const seen = new Set<string>();
  const { entries, isWhole } = entriesOf(text, format);
  if (!isWhole) reject("A part of it does not list servers by name.");
  return entries.flatMap(({ name, project, value, line }) => {
    if (!isName(name) || (project !== undefined && !isText(project, FILE_LIMITS.project))) {
      reject("A server in it has no name of its own.");
      return [];
    }
    const place = project === undefined ? path : `${path}?project=${shortOf(project)}`;
    const externalId = idOf(repository, place, name);
    try {
      if (seen.has(externalId)) throw new UnusableFile("A server in it has no name of its own.");
      seen.add(externalId);
      const parts = new Parts();
      const { record, metadata } = serverOf(value, format, parts);
      warn(parts.of(externalId));
      const where = { repository: repository.name, path, ...(project === undefined ? {} : { project }) };
      return [
        {
          externalId,
          assetType: "mcp_server",
          name,
          record,
          metadata: { ...where, client, ...metadata },
          found: [foundAt(reading, line)],
        },
      ];
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      reject(error.message, externalId);
      return [];
    }
  });
}

function instructionsIn(
  reading: Reading,
  { client, assetType }: Extract<FileKind, { kind: "instructions" }>,
): DiscoveredAsset[] {
  const { repository, path, text } = reading;
  if (text.trim() === "") return [];
  const metadata = { repository: repository.name, path, client };
  const found = [foundAt(reading, 1)];
  return [{ externalId: idOf(repository, path), assetType, name: nameOf(reading), metadata, found }];
}

function applicationIn(reading: Reading, read: DependencyReader): DiscoveredAsset[] {
  const { repository, path, text } = reading;
  const used = read(text)
    .flatMap((dependency) => {
      const sdk = sdkOf(dependency.ecosystem, dependency.name);
      return sdk ? [{ ...dependency, sdk }] : [];
    })
    .slice(0, FILE_LIMITS.finds);
  if (used.length === 0) return [];
  const vendors = [...new Set(used.map(({ sdk }) => sdk.vendor))].sort();
  const sdks = used.map(({ name, version, sdk }) => ({
    package: name,
    ...(version ? { version } : {}),
    sdk: sdk.name,
  }));
  return [
    {
      externalId: idOf(repository, path),
      assetType: "application",
      name: nameOf(reading),
      metadata: { repository: repository.name, path, vendors, sdks },
      found: used.map(({ line }) => foundAt(reading, line())),
    },
  ];
}

/** Control characters, and such that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;

/** An id has few characters, and the path of a project may have many. */
const shortOf = (project: string) => createHash("sha256").update(project).digest("hex").slice(0, 32);
const isText = (text: string, most: number) => text.length <= most && !UNSEEN.test(text) && text.isWellFormed();
const isName = (name: string) => name.trim() !== "" && isText(name, FILE_LIMITS.name);
const nameOf = ({ repository, path }: Reading) => `${repository.name}/${path}`.slice(-200);
const foundAt = ({ repository: { name, revision }, path }: Reading, line: number) => ({
  location: `${name}/${path}`,
  revision,
  line,
});
