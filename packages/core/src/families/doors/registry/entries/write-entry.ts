import type { Asset, McpServer } from "#families/estate/index.js";
import { APPROVAL, OFFICIAL, type RegistryEntry, SERVER_SCHEMA, type ServerJson } from "./fields.js";

/** The most characters of a title and of a description. */
const LONGEST = 100;
/** Digits of the approved digest that a version ends with. */
const DIGITS = 12;
const NUMBERED = /^\d+(?:\.\d+){0,3}(?:[-+][0-9A-Za-z.-]{1,100})?$/;
/** Words and ranges, which stand for another version every day. */
const MOVING = /^latest$|[\^~<>=*|\s]|(?:^|\.)x(?:\.|$)/i;

/** What is known of a server when its entry is written. */
export interface Known {
  readonly server: McpServer;
  readonly asset: Asset;
  readonly name: string;
  readonly updatedAt: string;
  readonly isOffered: boolean;
}

/** Where clients find a server: by its address, or as a package of an exact version. `undefined` where neither is known. */
export function placeOf({ transport, url, package: source }: McpServer): Partial<ServerJson> | undefined {
  if (url !== null && transport !== "stdio")
    return { remotes: [{ type: transport === "sse" ? "sse" : "streamable-http", url }] };
  if (transport !== "stdio" || source === null || source.version === null || MOVING.test(source.version))
    return undefined;
  const { registryType, identifier, version, sha256 } = source;
  // Without the digest of its file a bundle is not valid.
  if (registryType === "mcpb" && sha256 === null) return undefined;
  const fileSha256 = sha256 === null ? {} : { fileSha256: sha256 };
  return { packages: [{ registryType, identifier, version, ...fileSha256, transport: { type: "stdio" } }] };
}

/** The version of an entry: that of the package or of the server itself, and which manifest was approved of it. */
export function versionOf({ package: source, serverInfo, manifest: { approved } }: McpServer): string {
  const told = [source?.version, serverInfo?.version];
  const version = told.find((one): one is string => typeof one === "string" && NUMBERED.test(one)) ?? "0.0.0";
  return approved === null ? version : `${version}${version.includes("+") ? "." : "+"}${approved.slice(0, DIGITS)}`;
}

/** An entry of the registry. One that may not be used tells its name and nothing of where it is. */
export function entryOf({ server, asset, name, updatedAt, isOffered }: Known): RegistryEntry {
  const title = cut(server.name);
  const about = { name, title, version: versionOf(server) };
  const publishedAt = asset.decision?.at ?? asset.createdAt;
  const official = { publishedAt, updatedAt: updatedAt > publishedAt ? updatedAt : publishedAt };
  if (!isOffered) {
    const deleted = { status: "deleted", statusMessage: "It may not be used.", ...official, isLatest: false } as const;
    return { server: { $schema: SERVER_SCHEMA, ...about, description: title }, _meta: { [OFFICIAL]: deleted } };
  }
  const { alg, approved } = server.manifest;
  const status = asset.status === "deprecated" ? "deprecated" : "active";
  return {
    server: {
      $schema: SERVER_SCHEMA,
      ...about,
      description: cut(server.description?.trim() || title),
      ...placeOf(server),
    },
    _meta: {
      [OFFICIAL]: { status, ...official, isLatest: true },
      [APPROVAL]: {
        assetId: asset.id,
        pin: approved === null ? null : { alg, digest: approved },
        approvedUntil: endOf(asset),
        heldTo: "none",
      },
    },
  };
}

/** When an approval ends by itself. */
function endOf({ approvedUntil, reviewUntil }: Asset): string | null {
  if (approvedUntil === null || reviewUntil === null) return approvedUntil ?? reviewUntil;
  return approvedUntil < reviewUntil ? approvedUntil : reviewUntil;
}

/** The first characters of a text, counted as the schema counts them. */
const cut = (text: string): string => [...text].slice(0, LONGEST).join("");
