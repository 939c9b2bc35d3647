import { HELD_TO } from "#families/enforcement/index.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** The schema that every `server` of an answer is valid by. */
export const SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/** The members of `_meta`: of the published interface, and of Reeve. */
export const OFFICIAL = "io.modelcontextprotocol.registry/official";
export const APPROVAL = "reeve.registry/approval";

const Package = z.object({
  registryType: z.string().meta({ description: "Which registry of packages has it." }),
  identifier: z.string().meta({ description: "Its name in that registry." }),
  version: z.string().meta({ description: "Its exact version." }),
  fileSha256: z.string().optional().meta({ description: "SHA-256 of its file." }),
  transport: z
    .object({ type: z.literal("stdio").meta({ description: "Over its standard streams." }) })
    .meta({ description: "How clients speak with it." }),
});

export const ServerJson = z
  .object({
    $schema: z.literal(SERVER_SCHEMA).meta({ description: "The schema that it is valid by." }),
    name: z.string().meta({ description: "Its name, in reverse-DNS form." }),
    title: z.string().optional().meta({ description: "Its name for people." }),
    description: z.string().meta({ description: "What it is for." }),
    version: z.string().meta({ description: "Stands for exactly one approved manifest." }),
    remotes: z
      .array(
        z.object({
          type: z.enum(["streamable-http", "sse"]).meta({ description: "How clients speak with it." }),
          url: z.string().meta({ description: "Where it is." }),
        }),
      )
      .optional()
      .meta({ description: "Where it runs." }),
    packages: z.array(Package).optional().meta({ description: "From where clients start it." }),
  })
  .meta({ description: "The server, valid by the published schema." });
export type ServerJson = z.output<typeof ServerJson>;

export const RegistryEntry = z
  .object({
    server: ServerJson,
    _meta: z
      .object({
        [OFFICIAL]: z
          .object({
            status: z.enum(["active", "deprecated", "deleted"]).meta({ description: "`deleted`: it may not be used." }),
            statusMessage: z.string().optional().meta({ description: "The status in words." }),
            publishedAt: Time.meta({ description: "When it was decided about." }),
            updatedAt: Time.meta({ description: "When it may have changed last." }),
            isLatest: z.boolean().meta({ description: "Whether it is the version that is approved now." }),
          })
          .meta({ description: "The state of the entry, as the published interface names it." }),
        [APPROVAL]: z
          .object({
            assetId: z.string().meta({ description: "The asset, by which decisions know it." }),
            pin: z
              .object({
                alg: z.string().meta({ description: "Algorithm of the digest." }),
                digest: z.string().meta({ description: "Of the manifest that was approved." }),
              })
              .nullable()
              .meta({ description: "The manifest that was approved; `null`: its approval pins none." }),
            approvedUntil: Time.nullable().meta({
              description: "When the approval ends; `null`: with the next decision.",
            }),
            heldTo: z.enum(HELD_TO).meta({ description: "`none`: a list of servers holds no client to anything." }),
          })
          .optional()
          .meta({ description: "The approval behind it. Absent from deleted ones." }),
      })
      .meta({ description: "What the registry says of it." }),
  })
  .meta({ id: "McpRegistryEntry" });
export type RegistryEntry = z.output<typeof RegistryEntry>;

export const RegistryPage = z
  .object({
    servers: z.array(RegistryEntry).meta({ description: "The entries of this page." }),
    metadata: z
      .object({
        count: z.int().meta({ description: "How many servers this page has." }),
        nextCursor: z.string().optional().meta({ description: "Where to go on. Absent at the end." }),
      })
      .meta({ description: "The numbers of this page." }),
  })
  .meta({ id: "McpRegistryPage" });
export type RegistryPage = z.output<typeof RegistryPage>;

const include_deleted = z
  .enum(["true", "false"])
  .optional()
  .meta({ description: "`true`: with servers that may not be used any more.", example: "false" });

export const EntryQuery = z.strictObject({ include_deleted });
export const ListQuery = z.strictObject({
  cursor: z.string().max(4_000).optional().meta({ description: "The `nextCursor` of the page before." }),
  limit: z.int().min(1).optional().meta({ description: "Entries a page; 30 when absent, 100 at most.", example: 30 }),
  search: z.string().max(200).optional().meta({ description: "A part of the name or the title." }),
  updated_since: z.iso.datetime({ offset: true }).optional().meta({
    description: "Only what may have changed since, with deleted servers.",
    example: "2026-01-05T09:00:00.000Z",
  }),
  version: z.string().max(255).optional().meta({ description: "`latest`, or only entries of this version." }),
  include_deleted,
});
export type ListQuery = z.output<typeof ListQuery>;
