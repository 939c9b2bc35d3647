import { GenericBody } from "#kernel/records/generic-body.js";
import { namedAs, openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { AgentFields } from "../agents/schema.js";
import { ASSET_TYPES, ENVIRONMENTS } from "../assets/asset-terms.js";
import { AssetFields, Label } from "../assets/fields.js";
import { IdentityFields } from "../identities/schema.js";
import { McpServerFields } from "../mcp-servers/fields.js";
import { ModelFields } from "../models/schema.js";
import { ToolFields } from "../tools/schema.js";

/** The most items of one request, which share a transaction. */
export const IMPORT_LIMIT = 500;

/** Another item of this import by its `ref`, or an asset by its natural key. */
export const Handle = z.union([
  z.strictObject({ ref: Label }),
  z.strictObject({
    externalId: Label,
    assetType: z.enum(ASSET_TYPES).optional(),
    provider: z.string().trim().max(200).optional(),
    environment: z.enum(ENVIRONMENTS).optional(),
  }),
]);
export type Handle = z.output<typeof Handle>;

/** One asset to import, with its typed record. */
export const ImportItem = GenericBody.extend({
  ref: Label.optional().meta({ description: "A name for this item, by which others of the same import refer to it." }),
  record: GenericBody.optional().meta({
    description: "What the typed record of the asset says: of the agent, tool, identity, model or MCP server.",
  }),
}).meta({
  id: "AiAssetImportItem",
  description:
    "An asset as in its create, with `externalRef.id`. Where it names other assets it may hold `{ref}` or `{externalId, assetType, provider, environment}` instead of an id.",
});
/** One asset to import, as a caller gives it. */
export type ImportItem = z.input<typeof ImportItem>;

/** The known fields of items and their records, of all types. Each item is validated separately later. */
const KnownItem = openBody({
  id: "AiAssetImportNames",
  fields: AssetFields.extend({
    ref: Label,
    record: openBody({
      id: "AiAssetImportRecordNames",
      fields: z.object({
        ...AgentFields.shape,
        ...ToolFields.shape,
        ...ModelFields.shape,
        ...IdentityFields.shape,
        ...McpServerFields.shape,
      }),
      example: {},
    }),
  }),
  example: {},
});

export const ImportBody = z
  .strictObject({
    items: z
      .array(namedAs(z.looseObject({}), KnownItem))
      .min(1)
      .max(IMPORT_LIMIT)
      .meta({ description: "Each as `AiAssetImportItem`." }),
    atomic: z.boolean().optional().meta({ description: "All or nothing: one item that is refused refuses all." }),
    dryRun: z
      .boolean()
      .optional()
      .meta({ description: "Only answer what would be stored and refused; store nothing." }),
    baseline: z
      .boolean()
      .optional()
      .meta({ description: "Findings that the first evaluation opens on new assets are the baseline." }),
  })
  .meta({
    id: "AiAssetImportRequest",
    example: { items: [{ name: "Claims triage", assetType: "prompt", externalRef: { id: "claims-triage" } }] },
  });

/** The result of an import for one item that is stored. */
export interface Stored extends Imported {
  readonly id: string;
}

/** The result of an import for one item. */
export interface Imported {
  readonly outcome: "created" | "updated" | "unchanged";
  /** Id of the asset. `null` of one that a dry run would create. */
  readonly id: string | null;
  /** Id of its typed record, if it has one. */
  readonly recordId: string | null;
}

const Count = z.int().min(0);
const Fault = z.object({
  pointer: z.string().optional().meta({ description: "JSON Pointer into the item." }),
  parameter: z.string().optional().meta({ description: "The parameter of path or query." }),
  code: z.string().meta({ description: "What kind of mistake it is." }),
  message: z.string().meta({ description: "What to put right." }),
});

/** The results for all items of a request, in order. */
export const ImportAnswer = z
  .object({
    created: Count.meta({ description: "Assets that are new." }),
    updated: Count.meta({ description: "Assets that were changed." }),
    unchanged: Count.meta({ description: "Assets that were like this before." }),
    failed: Count.meta({ description: "Items that were refused." }),
    items: z
      .array(
        z.object({
          index: Count.meta({ description: "Place in the request, from 0." }),
          outcome: z.enum(["created", "updated", "unchanged", "failed"]).meta({ description: "What became of it." }),
          id: z
            .string()
            .nullable()
            .meta({ description: "Id of the asset; `null` of one that a dry run would create." }),
          recordId: z.string().nullable().meta({ description: "Id of its typed record." }),
          problem: z
            .object({
              code: z.string().meta({ description: "Code of the problem." }),
              detail: z.string().meta({ description: "What went wrong." }),
              errors: z.array(Fault).meta({ description: "Every mistake of the item." }),
            })
            .nullable()
            .meta({ description: "Why the item failed." }),
        }),
      )
      .meta({ description: "Results in the order of the request." }),
  })
  .meta({ id: "AiAssetImport" });
export type ImportAnswer = z.output<typeof ImportAnswer>;
