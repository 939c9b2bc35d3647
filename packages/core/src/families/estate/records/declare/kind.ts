import type { Capability } from "#families/platform/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { Attributes, Configuration, type GenericBody } from "#kernel/records/generic-body.js";
import type { Machine } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape } from "#kernel/records/record.js";
import type { Stamped } from "#kernel/records/stamps.js";
import { z } from "#schema/z.js";
import { POSTURE_NAMES, PostureFields } from "../../assets/asset-posture.js";
import type { ASSET_TYPES } from "../../assets/asset-terms.js";
import { AssetFields } from "../../assets/fields.js";
import { LIFECYCLE } from "../../assets/lifecycle/lifecycle-states.js";
import type { EstateBody } from "../../assets/register/body.js";
import type { Link } from "../../assets/relations/link.js";
import { Asset } from "../../assets/schema.js";

/** Why an asset blocks its record, in the terms of the effective decision. */
export const BLOCKS = ["lifecycle:retired", "governance_state:suspended", "governance_state:rejected"] as const;

/** Fields that an asset and its record share. Either can be used to set them. */
export const SharedFields = AssetFields.pick({
  description: true,
  provider: true,
  environment: true,
  owner: true,
  sponsor: true,
});
export const SHARED_NAMES = Object.keys(SharedFields.shape) as (keyof typeof SharedFields.shape)[];

/** Fields of the asset that can also be set through its record. */
const AssetSide = AssetFields.omit({ assetType: true });

/** Fields about decisions on the asset, copied to its record so that lists can show and filter them. */
const DecidedFields = Asset.pick({
  governanceState: true,
  approvedUntil: true,
  reviewUntil: true,
  riskTier: true,
}).extend({
  lifecycle: z.enum(LIFECYCLE).meta({ description: "The `status` of the asset." }),
});
export const DECIDED_NAMES = Object.keys(DecidedFields.shape) as (keyof typeof DecidedFields.shape)[];

/** The properties common to records of all kinds. */
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
    ...PostureFields.shape,
    editVersion: z.int().min(1).meta({
      description:
        "The version of the last change to the record itself. Later ones copy what was decided about its asset, and `If-Match` accepts them all.",
    }),
    configuration: Configuration,
    attributes: Attributes,
  };
}

/** Properties of all records that a body may repeat but not change. */
const JOINED_READ_ONLY = [
  ...READ_ONLY,
  "assetId",
  "blockedBy",
  ...DECIDED_NAMES,
  ...POSTURE_NAMES,
  "editVersion",
] as const;

export type JoinedRecord = Stamped & z.output<z.ZodObject<ReturnType<typeof joinedShape<z.ZodString>>>>;

/** A field that holds ids of assets of one type, and the relation it declares. */
export interface AssetReference {
  readonly field: string;
  readonly assetType: (typeof ASSET_TYPES)[number];
  readonly relation: Link["type"];
  /** Which end of the relation the named assets are. */
  readonly end: "source" | "target";
}

/** The ids in a field, whether it holds one or many. */
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

/** The declaration of one kind of typed record. */
interface RecordKindSpec<R extends JoinedRecord, F extends object> {
  /** The type of the assets that have such a record. */
  readonly assetType: (typeof ASSET_TYPES)[number];
  /** As in `ai-identity`; the verbs are read, write and delete. */
  readonly permission: string;
  readonly capability: Capability;
  /** Has a unique key `asset` (the `assetId`). */
  readonly collection: Collection<R>;
  /** What decides `status`: a machine of the records, or the asset. */
  readonly status:
    | {
        readonly machine: Machine;
        /** Fields that change with a requested status. */
        patch?(ctx: Context, record: R, to: string): Partial<R>;
        /** Ids of people and machines involved in such a move, beside those that the record shows. */
        involved?(ctx: Context, record: R): Promise<readonly string[]>;
      }
    | {
        /** The status that follows from the asset. */
        of(asset: Pick<Asset, "status" | "governanceState" | "priorGovernanceState">): string;
      };
  /** What a caller may set on the record itself. */
  readonly fields: z.ZodObject;
  readonly defaults: Omit<R, keyof JoinedRecord>;
  /** Further names that a body may repeat but not change. */
  readonly readOnly?: readonly string[];
  /** The field with its address, for collections indexed by `address`. */
  readonly address?: string;
  /** Fields that hold ids of other assets. */
  readonly references: readonly AssetReference[];
  /** Checks that a schema cannot express, such as permissions of the caller and names of free properties. */
  check?(ctx: Context, given: Pick<EstateBody<Partial<F>>, "fields" | "free">, before: R | undefined): void;
  /**
   * Slow work on a body before the transaction, such as sealing a secret. Its result is passed to `complete` and
   * `finalize`.
   */
  prepare?(ctx: ReadContext, body: GenericBody): Promise<unknown>;
  /** The fields to store for what was given, with parts that the caller does not set and with derived fields. */
  complete?(ctx: Context, given: Partial<F>, before: R | undefined, prepared: unknown): Partial<R>;
  /** Further changes by a create or an update, after the record is stored, in the same transaction. */
  finalize?(ctx: Context, record: R, before: R | undefined, prepared: unknown): Promise<R>;
  /** Names of material changes, as in the option `reReviewOn`. */
  material?(before: R, after: R): string[];
  /** Prefetches what creates and updates by these bodies will read, for many records at once. */
  prefetch?(ctx: ReadContext, given: readonly Partial<F>[], before: readonly R[]): Promise<unknown>;
  /** Why the record keeps its asset out of production. `undefined` when it does not. */
  unready?(record: R): string | undefined;
  /** Why the record makes its asset unusable, in the terms of the effective decision. `undefined` when it does not. */
  unusable?(record: R): string | undefined;
  /** Further changes with each change of a record, besides its relations, in the same transaction. */
  follow?(ctx: Context, before: R | undefined, after: R | undefined): Promise<void>;
  /** Runs when the asset is retired. */
  retire?(ctx: Context, record: R): Promise<R>;
}

/** One kind of typed record, with the schemas for its bodies, which are built once. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of different records stand in one list
export interface RecordKind<R extends JoinedRecord = any, F extends object = any> extends RecordKindSpec<R, F> {
  /** What a caller may set on the record itself. All fields are optional. */
  readonly ownFields: z.ZodObject;
  /** The same with the fields of the asset. */
  readonly givenFields: z.ZodObject;
  /** All names that a body may repeat but not change. */
  readonly readOnlyNames: readonly string[];
}

export function defineRecordKind<R extends JoinedRecord, F extends object>(
  spec: RecordKindSpec<R, F>,
): RecordKind<R, F> {
  return Object.freeze({
    ...spec,
    ownFields: spec.fields.partial(),
    givenFields: AssetSide.extend({
      assetType: z.literal(spec.assetType).meta({ description: "The type of the asset." }),
      ...spec.fields.shape,
    }).partial(),
    readOnlyNames: [...JOINED_READ_ONLY, ...(spec.readOnly ?? [])],
  });
}
