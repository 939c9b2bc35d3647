import { z } from "zod";
import { Text } from "../fields.js";

/** Registry-managed metadata of an entry. */
export const OFFICIAL = "io.modelcontextprotocol.registry/official";

const Remote = z.object({ type: z.enum(["streamable-http", "sse"]), url: Text(2_000) });

const Package = z.object({
  registryType: Text(100),
  identifier: Text(500),
  version: Text(255).nullish(),
  fileSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullish(),
  transport: z.object({ type: z.enum(["stdio", "streamable-http", "sse"]) }),
});

const Repository = z.object({
  url: Text(2_000).nullish(),
  source: Text(100).nullish(),
  id: Text(200).nullish(),
  subfolder: Text(500).nullish(),
});

/** What is read of a server in the published shape. Other members are left out. */
export const Server = z.object({
  name: Text(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: Text(255),
  description: Text(2_000).nullish(),
  title: Text(200).nullish(),
  repository: Repository.nullish(),
  websiteUrl: Text(2_000).nullish(),
  packages: z.array(Package).max(50).nullish(),
  remotes: z.array(Remote).max(50).nullish(),
});
export type Server = z.output<typeof Server>;

export const Official = z.object({
  status: z.enum(["active", "deprecated", "deleted"]).nullish(),
  isLatest: z.boolean().nullish(),
  publishedAt: Text(100).nullish(),
  updatedAt: Text(100).nullish(),
});
export type Official = z.output<typeof Official>;

/** An entry of the listing. */
export const Entry = z.object({
  server: Server,
  _meta: z
    .object({ [OFFICIAL]: Official.nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** A page of the listing. Its entries are judged one by one. */
export const Listing = z.object({
  servers: z.array(z.unknown()).nullish(),
  metadata: z.object({ nextCursor: z.string().max(2_000).nullish() }).nullish(),
});
