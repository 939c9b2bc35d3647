import { ASSET_TYPES, Label } from "#families/estate/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordFields, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { FAILURE } from "../instances/fields.js";
import { IncompleteBecause, LeftOut, LeftOutOfListing, StoredTrail } from "./listing-fields.js";
import { importStatus } from "./machine.js";

export const ACTIONS = ["create", "update", "link", "unchanged", "conflict", "retire"] as const;
export type Action = (typeof ACTIONS)[number];

const Count = z.int().min(0);
const Counts = z.object({
  create: Count.meta({ description: "Assets that are new here." }),
  update: Count.meta({ description: "Assets that the target describes otherwise now." }),
  link: Count.meta({ description: "Assets that are registered and not yet tied to this instance." }),
  unchanged: Count.meta({ description: "Assets that are as before." }),
  conflict: Count.meta({ description: "Finds that may be registered already. Somebody must decide." }),
  retire: Count.meta({ description: "Assets of this instance that the target has no more." }),
  rejected: Count.meta({ description: "Entries of the listing that cannot be used." }),
});
export type Counts = z.output<typeof Counts>;
export const NO_COUNTS: Counts = { create: 0, update: 0, link: 0, unchanged: 0, conflict: 0, retire: 0, rejected: 0 };

export const SELECTIONS = ["all", "create_only"] as const;

/** An import as it is stored and served. */
export const ConnectorImport = z
  .object({
    ...recordShape(z.enum(statesOf(importStatus))),
    connectorInstanceId: z.string().meta({ description: "The instance whose target is read." }),
    mode: z.enum(["preview", "create"]).meta({
      description: "Whether the plan waits for a confirmation, or what is new is imported at once.",
    }),
    assetTypes: z.array(z.enum(ASSET_TYPES)).meta({ description: "Only these types; all when empty." }),
    planHash: z.string().nullable().meta({ description: "SHA-256 of the whole plan. A confirmation names it." }),
    counts: Counts.meta({ description: "Items of the plan by what would be done." }),
    complete: z.boolean().meta({ description: "The listing was read to its end and left nothing out." }),
    incompleteBecause: IncompleteBecause,
    leftOut: LeftOutOfListing,
    anomaly: z
      .object({
        missing: Count.meta({ description: "Assets that the listing lacks." }),
        known: Count.meta({ description: "Assets of this instance before it." }),
        recent: Count.meta({ description: "Assets that its imports have retired within the last hour." }),
      })
      .nullable()
      .meta({ description: "Set when more is missing than is plausible. Nothing is retired then unless accepted." }),
    done: Count.meta({ description: "Items that have been carried out." }),
    failed: Count.meta({ description: "Items that could not be." }),
    failure: z.object(FAILURE).nullable().meta({ description: "Why it stopped." }),
    expiresAt: Time.nullable().meta({ description: "Until when the plan can be confirmed." }),
    confirmedBy: z.string().nullable().meta({ description: "Id of who confirmed it." }),
    confirmedAt: Time.nullable().meta({ description: "When it was confirmed." }),
    startedAt: Time.nullable().meta({ description: "When the listing was begun." }),
    endedAt: Time.nullable().meta({ description: "When nothing was left to do." }),
    attributes: Attributes,
  })
  .meta({ id: "ConnectorImport" });
export type ConnectorImport = z.output<typeof ConnectorImport>;

/** Properties of an import that no body sets: a body may repeat them but not change them. */
export const IMPORT_READ_ONLY: readonly string[] = Object.keys(
  ConnectorImport.omit({ name: true, status: true, metadata: true, attributes: true, assetTypes: true }).shape,
);

const UNDER_WAY: readonly ConnectorImport["status"][] = ["queued", "discovering", "importing"];
export const isUnderWay = ({ status }: Pick<ConnectorImport, "status">) => UNDER_WAY.includes(status);

/** Imports. One at a time is under way for an instance. */
export const connectorImports = defineCollection<ConnectorImport>({
  name: "connector_imports",
  prefix: "imp",
  schema: ConnectorImport,
  resource: {
    type: "connector_import",
    event: "connector.import",
    path: "/api/v1/integrations/imports",
    alsoAt: ["/api/v1/integrations/{id}/imports"],
    readBy: ["connector:read"],
  },
  machines: { status: importStatus },
  related: ({ connectorInstanceId }) => [connectorInstanceId],
  fields: {
    status: { type: "text" },
    connectorInstanceId: { type: "text" },
    runningFor: { type: "text", compare: "exact", of: (one) => (isUnderWay(one) ? one.connectorInstanceId : null) },
    waitingFor: {
      type: "text",
      of: (one) => (one.status === "awaiting_confirmation" ? one.connectorInstanceId : null),
    },
    endsAt: {
      type: "time",
      of: ({ status, expiresAt }) => (status === "awaiting_confirmation" ? expiresAt : null),
    },
    /** When it was last moved, of one that is over. */
    overSince: {
      type: "time",
      of: (one) => (isUnderWay(one) || one.status === "awaiting_confirmation" ? null : one.updatedAt),
    },
  },
  unique: { running: ["runningFor"] },
  indexes: [
    { where: ["connectorInstanceId"] },
    { where: ["status"] },
    { where: ["waitingFor"] },
    { where: [], by: "endsAt", partial: true },
    { where: [], by: "overSince", partial: true },
  ],
  filters: { connectorInstanceId: {}, status: { values: statesOf(importStatus), changesAt: "endsAt" } },
  timeTransition: { by: "endsAt", machine: importStatus, event: "expire", reason: "Nobody confirmed it in time." },
});

const Difference = z.object({
  field: z.string().meta({ description: "Name of the field." }),
  before: z.unknown().meta({ description: "What the target said before." }),
  after: z.unknown().meta({ description: "What it says now." }),
});

/** One line of a plan. */
export const ImportItemRecord = z
  .object({
    id: recordFields.id,
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    importId: z.string().meta({ description: "Id of the import." }),
    externalId: Label.meta({ description: "Id in the target." }),
    assetType: z.enum(ASSET_TYPES).meta({ description: "What kind of thing it is." }),
    name: z.string().meta({ description: "Name in the target." }),
    action: z.enum(ACTIONS).meta({ description: "What would be done." }),
    assetId: z.string().nullable().meta({ description: "The asset that it is about, once there is one." }),
    matchedBy: z
      .enum(["provenance", "external_id", "name", "address", "listing"])
      .nullable()
      .meta({ description: "How the asset was recognised." }),
    candidates: z.array(z.string()).meta({ description: "Assets that it may be, for a conflict." }),
    differences: z.array(Difference).meta({ description: "What would change." }),
    leftOut: z.array(LeftOut.omit({ externalId: true })).meta({
      description:
        "Parts of what the target says that were left out: of an odd form, with a secret, or set by people only, such as `record.scopes` of an identity.",
    }),
    result: z.enum(["done", "failed"]).nullable().meta({ description: "What came of it; `null`: nothing yet." }),
    error: z
      .object({
        code: z.string().meta({ description: "Code of the problem." }),
        message: z.string().meta({ description: "What is wrong." }),
      })
      .nullable()
      .meta({ description: "Why it failed." }),
    content: z
      .string()
      .nullable()
      .meta({ description: "What the system says of it, as JSON; `null` of what it has no more." }),
  })
  .meta({ id: "ConnectorImportItem" });
export type ImportItemRecord = z.output<typeof ImportItemRecord>;

/** The lines of plans, in the order of the listing. */
export const connectorImportItems = defineCollection<ImportItemRecord>({
  name: "connector_import_items",
  prefix: "iit",
  schema: ImportItemRecord,
  fields: {
    importId: { type: "text", compare: "exact" },
    action: { type: "text" },
    result: { type: "text" },
    /** What the listing must not name twice. */
    subject: { type: "text", compare: "exact", of: (item) => subjectOf(item) },
  },
  unique: { subject: ["importId", "subject"] },
  indexes: [{ where: ["importId"] }],
  filters: { action: { values: ACTIONS }, result: { values: ["done", "failed"] } },
  secrets: [],
});

/** Type and external id of something in a target. */
export const subjectOf = ({ assetType, externalId }: Pick<ImportItemRecord, "assetType" | "externalId">) =>
  `${assetType} ${externalId}`;

const ConnectorAsset = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  connectorInstanceId: z.string(),
  assetType: z.enum(ASSET_TYPES),
  externalId: Label,
  assetId: z.string(),
  /** Which system the external id is of. In another one it means something else. */
  target: z.string(),
  /** What the target said when it was last imported, as JSON. */
  content: z.string(),
  /** The import that wrote it. */
  importId: z.string(),
});
export type ConnectorAsset = z.output<typeof ConnectorAsset>;

/** Where assets come from: the instance, and their id in its target. */
export const connectorAssets = defineCollection<ConnectorAsset>({
  name: "connector_assets",
  prefix: "cas",
  schema: ConnectorAsset,
  fields: {
    connectorInstanceId: { type: "text", compare: "exact" },
    assetId: { type: "text" },
    subject: { type: "text", compare: "exact", of: (one) => subjectOf(one) },
  },
  unique: { subject: ["connectorInstanceId", "subject"] },
  indexes: [{ where: ["connectorInstanceId"] }, { where: ["assetId"] }],
  secrets: [],
});

const ImportRun = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  importId: z.string(),
  phase: z.enum(["listing", "missing", "applying"]),
  /** Where the phase goes on. */
  cursor: z.string().nullable(),
  /** The way through the listing so far. */
  trail: StoredTrail,
  /** Which system is listed, once it has answered. */
  target: z.string().nullable(),
  /** SHA-256 of the plan so far. */
  digest: z.string(),
  /** The instance's configuration that the plan was made with. */
  configurationVersion: z.int(),
  /** Assets of the instance in use, as far as the phase `missing` has looked. */
  known: z.int(),
  /** Assets that it has retired. */
  retired: z.int(),
  selection: z.union([z.enum(SELECTIONS), z.array(z.string())]),
  exclude: z.array(z.string()),
  allowRetire: z.boolean(),
  /** Failed attempts in a row. */
  attempts: z.int(),
  /** When it is to go on, or the lease of the process that works on it ends. */
  dueAt: Time.nullable(),
});
export type ImportRun = z.output<typeof ImportRun>;

/** How far imports have come, apart from the records that the API serves. */
export const connectorImportRuns = defineCollection<ImportRun>({
  name: "connector_import_runs",
  prefix: "irn",
  schema: ImportRun,
  fields: { importId: { type: "text", compare: "exact" }, dueAt: { type: "time" } },
  unique: { import: ["importId"] },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});
