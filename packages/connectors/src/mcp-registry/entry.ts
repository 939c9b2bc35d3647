import { z } from "zod";
import { Text, Visible } from "../fields.js";
import type { Parts } from "../parts.js";

/** Registry-managed metadata of an entry. */
export const OFFICIAL = "io.modelcontextprotocol.registry/official";

const Members = z.record(z.string(), z.unknown());
const Name = Text(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullish();
/** Packages, remotes, and other lists of a server. */
const MOST = 50;
const REMOTES = ["streamable-http", "sse"] as const;

export interface RegistryPackage {
  readonly registryType: string;
  readonly identifier: string;
  readonly version?: string | undefined;
  readonly fileSha256?: string | null | undefined;
  readonly transport?: "stdio" | "streamable-http" | "sse" | undefined;
}

/** What is read of a server in the published form. Other members are left out. */
export interface Server {
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly title?: string | undefined;
  readonly repository?: Readonly<Record<string, string | undefined>> | undefined;
  readonly websiteUrl?: string | undefined;
  readonly packages?: readonly RegistryPackage[] | undefined;
  readonly remotes?: readonly { readonly type: (typeof REMOTES)[number]; readonly url: string }[] | undefined;
}

export interface Official {
  readonly status?: "active" | "deprecated" | "deleted" | undefined;
  readonly isLatest?: boolean | undefined;
  readonly publishedAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** The server of an entry, without the parts that have an odd form. `undefined` where it has no name to tell it by. */
export function serverOf(given: unknown, parts: Parts): Server | undefined {
  const server = Members.safeParse(Members.safeParse(given).data?.server).data;
  const name = Name.safeParse(server?.name).data;
  if (!server || name === undefined) return undefined;
  return {
    name,
    version: parts.read(server.version, "version", Text(200)),
    description: parts.read(server.description, "description", Text(2_000)),
    title: parts.read(server.title, "title", Visible(200)),
    repository: repositoryOf(parts.read(server.repository, "repository", Members), parts),
    websiteUrl: parts.read(server.websiteUrl, "websiteUrl", Text(2_000)),
    packages: parts.each(server.packages, "packages", MOST, (one, part) => packageOf(one, part, parts)),
    remotes: parts.each(server.remotes, "remotes", MOST, (one, part) => parts.read(one, part, Remote)),
  };
}

const Remote = z.object({ type: z.enum(REMOTES), url: Text(2_000) });

function repositoryOf(given: z.output<typeof Members> | undefined, parts: Parts): Server["repository"] {
  if (!given) return undefined;
  const texts = { url: 2_000, source: 100, id: 200, subfolder: 500 };
  return Object.fromEntries(
    Object.entries(texts).map(([name, most]) => [name, parts.read(given[name], `repository.${name}`, Text(most))]),
  );
}

/** A package whose digest cannot be read is left out: without the digest it would be another one. */
function packageOf(one: unknown, part: string, parts: Parts): RegistryPackage | undefined {
  const given = parts.read(one, part, Guarded);
  if (!given) return undefined;
  const { registryType, identifier, fileSha256 } = given;
  const transport = parts.read(given.transport, `${part}.transport`, Transport)?.type;
  return {
    registryType,
    identifier,
    fileSha256,
    transport,
    version: parts.read(given.version, `${part}.version`, Text(200)),
  };
}

const Guarded = z.object({
  registryType: Text(100),
  identifier: Text(200),
  fileSha256: Digest,
  version: z.unknown().optional(),
  transport: z.unknown().optional(),
});
const Transport = z.object({ type: z.enum(["stdio", "streamable-http", "sse"]) });

/** What the registry itself says of an entry. */
export function officialOf(given: unknown, parts: Parts): Official {
  const meta = parts.read(Members.safeParse(given).data?._meta, "_meta", Members);
  const official = parts.read(meta?.[OFFICIAL], "_meta", Members) ?? {};
  return {
    status: parts.read(official.status, "status", z.enum(["active", "deprecated", "deleted"])),
    isLatest: parts.read(official.isLatest, "isLatest", z.boolean()),
    publishedAt: parts.read(official.publishedAt, "publishedAt", Text(100)),
    updatedAt: parts.read(official.updatedAt, "updatedAt", Text(100)),
  };
}

/** A page of the listing. Its entries are judged one by one. */
export const Listing = z.object({
  servers: z.array(z.unknown()).nullish(),
  metadata: z.looseObject({ nextCursor: z.string().max(2_000).nullish() }).nullish(),
});
