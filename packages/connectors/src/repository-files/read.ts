import type { DiscoveredAsset, RejectedItem } from "@reeve/core/connectors";
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
}

/** A file while it is read. */
interface Reading {
  readonly repository: Snapshot;
  readonly path: string;
  readonly text: string;
  reject(reason: string): void;
}

/** The id of what a file holds. It stays when the repository is renamed. */
export const idOf = ({ id }: Snapshot, path: string, name?: string) =>
  name === undefined ? `${id}:${path}` : `${id}:${path}#${name}`;

/** Reads one file. It never throws for what stands in it. */
export function findsIn(repository: Snapshot, { path }: RepositoryFile, text: string): FileFinds {
  const rejected: RejectedItem[] = [];
  const reject = (reason: string) => void rejected.push({ externalId: idOf(repository, path), reason });
  try {
    const assets = assetsOf({ repository, path, text, reject }, kindOf(path));
    if (assets.length > FILE_LIMITS.finds) reject(`It holds more than ${FILE_LIMITS.finds} finds.`);
    return { assets: assets.slice(0, FILE_LIMITS.finds), rejected };
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    reject(error.message);
    return { assets: [], rejected };
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
  const { repository, path, text, reject } = reading;
  const seen = new Set<string>();
  return entriesOf(text, format).flatMap(({ name, value, line }) => {
    try {
      if (!isName(name) || seen.has(name)) throw new UnusableFile("A server in it has no name of its own.");
      seen.add(name);
      const { record, metadata } = serverOf(value, format);
      return [
        {
          externalId: idOf(repository, path, name),
          assetType: "mcp_server",
          name,
          record,
          metadata: { repository: repository.name, path, client, ...metadata },
          found: [foundAt(reading, line)],
        },
      ];
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      reject(error.message);
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

const isName = (name: string) => name.trim() !== "" && name.length <= FILE_LIMITS.name && !UNSEEN.test(name);
const nameOf = ({ repository, path }: Reading) => `${repository.name}/${path}`.slice(-200);
const foundAt = ({ repository: { name, revision }, path }: Reading, line: number) => ({
  location: `${name}/${path}`,
  revision,
  line,
});
