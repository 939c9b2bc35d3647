import { z } from "zod";
import type { Context } from "../../../../kernel/operation/context.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { Collection } from "../../../../kernel/records/collection.js";
import { AnyObject, type GenericBody } from "../../../../kernel/records/generic-body.js";
import type { Machine } from "../../../../kernel/records/machine.js";
import { READ_ONLY, recordShape } from "../../../../kernel/records/record.js";
import type { Stamped } from "../../../../kernel/records/stamps.js";
import { AssetFields } from "../../assets/fields.js";
import { LIFECYCLE } from "../../assets/lifecycle/lifecycle-states.js";
import type { EstateBody } from "../../assets/register/body.js";
import type { Link } from "../../assets/relations/links.js";
import { Asset } from "../../assets/schema.js";
import type { ASSET_TYPES } from "../../assets/terms/vocabulary.js";

/** Why the asset of a record keeps it from being used, in the words of the effective decision. */
export const BLOCKS = ["lifecycle:retired", "governance_state:suspended", "governance_state:rejected"] as const;

/** What is said once, on the asset, and shown on its record as well. It can be set through either. */
export const SharedFields = AssetFields.pick({
  description: true,
  provider: true,
  environment: true,
  owner: true,
  sponsor: true,
});
export const SHARED_NAMES = Object.keys(SharedFields.shape) as (keyof typeof SharedFields.shape)[];

/** What is decided about the asset, and copied to its record so that lists show it and are filtered by it. */
const DecidedFields = Asset.pick({ governanceState: true, approvedUntil: true, riskTier: true }).extend({
  lifecycle: z.enum(LIFECYCLE).meta({ description: "The `status` of the asset." }),
});
export const DECIDED_NAMES = Object.keys(DecidedFields.shape) as (keyof typeof DecidedFields.shape)[];

/** The properties that every record of an asset starts with. */
export function joinedShape<S extends z.ZodType<string>>(status: S) {
  return {
    ...recordShape(status),
    assetId: z.string().meta({ description: "The governed asset that this is the technical side of." }),
    blockedBy: z
      .enum(BLOCKS)
      .nullable()
      .meta({ description: "Why governance or the lifecycle of the asset keeps this from being used." }),
    ...SharedFields.shape,
    ...DecidedFields.shape,
    editVersion: z.int().min(1).meta({
      description:
        "The version of the last change to the record itself. Later ones copy what was decided about its asset, and `If-Match` accepts them all.",
    }),
    configuration: AnyObject,
    attributes: AnyObject,
  };
}

/** Properties of such a record that a body may repeat but not change. */
const JOINED_READ_ONLY = [...READ_ONLY, "assetId", "blockedBy", ...DECIDED_NAMES, "editVersion"] as const;

export type JoinedRecord = Stamped & z.output<z.ZodObject<ReturnType<typeof joinedShape<z.ZodString>>>>;

/** A field whose id, or ids, name assets of one type, and the relation it stands for. */
export interface AssetReference {
  readonly field: string;
  readonly assetType: (typeof ASSET_TYPES)[number];
  readonly relation: Link["type"];
  /** Which end of the relation the named assets are. */
  readonly end: "source" | "target";
}

/** The ids that a field holds, whether it is for one or for many. */
export function idsIn(record: object | undefined, field: string): readonly string[] {
  const held = (record as Record<string, string | readonly string[] | null> | undefined)?.[field] ?? [];
  return typeof held === "string" ? [held] : held;
}

/** The relations that a record declares through its reference fields. */
export function recordLinks(references: readonly AssetReference[], record: JoinedRecord | undefined): Link[] {
  if (!record) return [];
  const { assetId } = record;
  return references.flatMap(({ field, relation: type, end }) =>
    idsIn(record, field).map((id) =>
      end === "source" ? { type, sourceId: id, targetId: assetId } : { type, sourceId: assetId, targetId: id },
    ),
  );
}

/** What a kind of typed record declares: everything the join needs to know of it. */
interface RecordKindSpec<R extends JoinedRecord, F extends object> {
  /** The type of the assets that have such a record. */
  readonly assetType: (typeof ASSET_TYPES)[number];
  /** Unique by `asset` (the `assetId`). */
  readonly collection: Collection<R>;
  /** Who says what `status` is: a machine over the records, or the asset. */
  readonly status:
    | {
        readonly machine: Machine;
        /** What changes together with a status that somebody asks for. */
        patch?(ctx: Context, record: R, to: string): Partial<R>;
      }
    | {
        /** The status of the record of an asset that stands like this. */
        of(asset: Pick<Asset, "status" | "governanceState">): string;
      };
  /** What a caller may set on the record itself. */
  readonly fields: z.ZodObject;
  readonly defaults: Omit<R, keyof JoinedRecord>;
  /** Names beyond those of every record that a body may repeat but not change. */
  readonly readOnly?: readonly string[];
  /** The field with the address at which it is reached, for records whose collection is indexed by `address`. */
  readonly address?: string;
  /** Fields that hold ids of other assets. */
  readonly references: readonly AssetReference[];
  /** What a schema cannot say of a body: rights of the caller, names that free properties must not have. */
  check?(ctx: Context, given: Pick<EstateBody<Partial<F>>, "fields" | "free">, before: R | undefined): void;
  /** Slow work on a body before the transaction opens (sealing a secret, say); what it gives is handed to `complete` and `finalize`. */
  prepare?(ctx: ReadContext, body: GenericBody): Promise<unknown>;
  /** What is stored in the place of what was given: parts the caller does not set, and what follows from what was. */
  complete?(ctx: Context, given: Partial<F>, before: R | undefined, prepared: unknown): Partial<R>;
  /** What else a create or change brings about in the same transaction, once the record is stored. */
  finalize?(ctx: Context, record: R, before: R | undefined, prepared: unknown): Promise<R>;
  /** Names of changes that send an approved asset back to review, as in the option `reReviewOn`. */
  material?(before: R, after: R): string[];
  /** For many at once: reads what creates and changes by these bodies will ask for, of records that are there or will be. */
  prefetch?(ctx: ReadContext, given: readonly Partial<F>[], before: readonly R[]): Promise<unknown>;
  /** What of the record keeps its asset out of production; `undefined` when nothing does. */
  unready?(record: R): string | undefined;
  /** Why the record keeps its asset from being used at all, in the words of the effective decision; `undefined` when it does not. */
  unusable?(record: R): string | undefined;
  /** What changes together with a record beside its relations: runs in the transaction of every change of it. */
  follow?(ctx: Context, before: R | undefined, after: R | undefined): Promise<void>;
  /** Follows the retirement of the asset. */
  retire?(ctx: Context, record: R): Promise<R>;
}

/** One kind of typed record, with what bodies are read by: made once, not for each body. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of different records stand in one list
export interface RecordKind<R extends JoinedRecord = any, F extends object = any> extends RecordKindSpec<R, F> {
  /** What a caller may set on the record itself, all of it optional. */
  readonly ownFields: z.ZodObject;
  /** The same with what the record shares with its asset. */
  readonly givenFields: z.ZodObject;
  /** Every name that a body may repeat but not change. */
  readonly readOnlyNames: readonly string[];
}

export function defineRecordKind<R extends JoinedRecord, F extends object>(
  spec: RecordKindSpec<R, F>,
): RecordKind<R, F> {
  return Object.freeze({
    ...spec,
    ownFields: spec.fields.partial(),
    givenFields: spec.fields.extend(SharedFields.shape).partial(),
    readOnlyNames: [...JOINED_READ_ONLY, ...(spec.readOnly ?? [])],
  });
}
