import type { Tag } from "#families/tags.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { RemovalQuery, removeAsset } from "../assets/impact/removal.js";
import { changeAsset, moveLifecycle } from "../assets/lifecycle/moves.js";
import type { Remarks } from "../assets/lifecycle/remarks.js";
import { withParties } from "../assets/owners/parties.js";
import { type Asset, assets } from "../assets/schema.js";
import { type JoinedRecord, type RecordKind, SHARED_NAMES } from "./declare/kind.js";
import { similarAssets } from "./queries.js";
import { type RecordBody, readRecordBody } from "./write/body.js";
import { changeRecord, moveByMachine } from "./write/change.js";
import { registerAsset } from "./write/register.js";
import { readAs, withExpiry } from "./write/to-change.js";

/**
 * Moves the asset of a record so that the record gets this status. The asset's machines check permissions and reasons.
 */
export type MoveAsset = (ctx: Context, asset: Asset, status: string, remarks: Remarks) => Promise<Asset>;

/** Names and permissions of the five operations of one kind of record. */
export interface RecordOperations<Id extends string, R extends JoinedRecord> {
  readonly kind: RecordKind<R>;
  readonly schema: z.ZodType<R>;
  /** As in `aiIdentities`. */
  readonly id: Id;
  readonly tag: Tag;
  readonly path: string;
  /** In summaries: `AI identity`, `AI identities`. */
  readonly one: string;
  readonly many: string;
  /** A body that creates one in an empty tenant. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The fields that a search covers, for the description. */
  readonly searched: string;
  /** How the asset is moved when the record has its status. By default the status is the lifecycle. */
  readonly moveAsset?: MoveAsset;
  /** Whether agents may propose one. */
  readonly agents?: "propose";
}

const CHANGES = [
  "already_exists",
  "invalid_reference",
  "invalid_transition",
  "transition_guard_failed",
  "missing_reason",
  "read_only_property",
  "self_approval_forbidden",
  "self_appointment_forbidden",
] as const;

/** The operations list, create, read, replace and delete for one kind of typed record. */
export function recordOperations<const Id extends string, R extends JoinedRecord>(of: RecordOperations<Id, R>) {
  const { kind, schema, id, tag, path, one, many, searched, example, moveAsset = moveLifecycle, agents } = of;
  const moving = { kind, moveAsset };
  const { collection } = kind;
  const may = (verb: string) => ({ permission: `${kind.permission}:${verb}`, capability: kind.capability });
  const shared = { tag, path, collection, schema } as const;
  const prepare = kind.prepare ? { prepare: preparing(kind) } : {};
  const Request = openBody({
    id: `${bodyName(schema)}Request`,
    fields: kind.givenFields,
    states: statusesOf(schema),
    example,
  });
  const article = /^[aeiou]/i.test(one) ? "an" : "a";
  return {
    list: listOperation({ ...shared, id: `${id}.list`, summary: `List ${many}`, searched, access: may("read") }),
    create: defineOperation({
      id: `${id}.create`,
      ...(agents ? { agents } : {}),
      method: "POST",
      path,
      tag,
      summary: `Register ${article} ${one} together with its asset`,
      description:
        "Fields of the asset, as its risk tier and purpose, may be set here too. A `status` moves the new record there.",
      access: may("write"),
      body: Request.optional(),
      success: { status: 201, schema },
      errors: CHANGES,
      ...prepare,
      hints: (ctx, { body = {} }) => similarAssets(ctx, kind.assetType, body),
      handler: (ctx, { body = {} }, prepared) => createRecord(ctx, moving, body, prepared),
    }),
    read: readOperation({ ...shared, id: `${id}.read`, summary: `Read one ${one}`, access: may("read") }),
    replace: defineOperation({
      id: `${id}.replace`,
      stops: true,
      method: "PUT",
      path: `${path}/{id}`,
      tag,
      summary: `Change ${article} ${one}`,
      description:
        "Properties that are sent are replaced, `null` clears, properties left out stay as they are. Fields of its asset change there. A `status` moves the record, or the asset whose state it shows.",
      access: may("write"),
      params: ById,
      body: Request.optional(),
      success: { status: 200, schema },
      errors: CHANGES,
      ...prepare,
      handler: (ctx, { params, body = {} }, prepared) => replaceRecord(ctx, moving, params.id, body, prepared),
    }),
    remove: defineOperation({
      id: `${id}.delete`,
      method: "DELETE",
      path: `${path}/{id}`,
      tag,
      summary: `Delete ${article} ${one} and its asset, which must not be in use`,
      access: may("delete"),
      params: ById,
      query: RemovalQuery,
      success: { status: 204 },
      errors: ["in_use", "missing_reason"],
      async handler(ctx, { params, query }) {
        const record = await ctx.getForUpdate(collection, params.id);
        await removeAsset(ctx, await ctx.getOrThrow(assets, record.assetId), query);
        return undefined;
      },
    }),
  } as const;
}

type Moving<R extends JoinedRecord> = Required<Pick<RecordOperations<string, R>, "kind" | "moveAsset">>;

const bodyName = (schema: z.ZodType) => schema.meta()?.id ?? "";

function statusesOf(schema: z.ZodType): readonly string[] {
  const { status } = (schema as z.ZodObject).shape;
  return status instanceof z.ZodEnum ? (status.options as string[]) : [];
}

/** The `prepare` of a kind as the step of an operation. */
function preparing<R extends JoinedRecord>(kind: RecordKind<R>) {
  return async (ctx: ReadContext, { body }: { readonly body?: GenericBody | undefined }): Promise<unknown> =>
    kind.prepare?.(ctx, body ?? {});
}

async function createRecord<R extends JoinedRecord>(
  ctx: Context,
  moving: Moving<R>,
  body: GenericBody,
  prepared: unknown,
): Promise<R> {
  const { kind } = moving;
  const given = readRecordBody(kind, body);
  const { name } = given.free;
  const { record } = await registerAsset(
    ctx,
    {
      fields: { ...(await withParties(ctx, given.shared)), assetType: kind.assetType },
      free: name === undefined ? {} : { name },
      status: "of" in kind.status ? given.status : undefined,
      reason: undefined,
    },
    given,
    prepared,
  );
  return moveRecord(ctx, moving, record as R, given);
}

async function replaceRecord<R extends JoinedRecord>(
  ctx: Context,
  moving: Moving<R>,
  id: string,
  body: GenericBody,
  prepared: unknown,
): Promise<R> {
  const { kind } = moving;
  const stored = await ctx.getForUpdate(kind.collection, id);
  const read = readRecordBody(kind, body, readAs(ctx, kind, stored, body));
  const given = { ...read, shared: await withParties(ctx, read.shared, stored) };
  const before = await withExpiry(ctx, kind.collection, stored);
  const finalized = await changeRecord(ctx, kind, before, given, prepared);
  return moveRecord(ctx, moving, await carryOver(ctx, kind, before, finalized, given), given);
}

/** Applies changes of shared fields to the asset, and sends it back to review after material changes. */
async function carryOver<R extends JoinedRecord>(
  ctx: Context,
  kind: RecordKind<R>,
  before: R,
  after: R,
  { free: { name }, shared }: RecordBody,
): Promise<R> {
  const changed = kind.material?.(before, after) ?? [];
  if (name === undefined && Object.keys(shared).length === 0 && changed.length === 0) return after;
  const isSaidAgain = Object.keys(shared).every((field) => SHARED_NAMES.includes(field as never));
  if (after.version === before.version && isSaidAgain) return after;
  const asset = await ctx.getOrThrow(assets, before.assetId);
  const fields = { ...shared, ...(name === undefined ? {} : { name }) };
  await changeAsset(ctx, asset, fields, changed);
  return ctx.getOrThrow(kind.collection, after.id);
}

async function moveRecord<R extends JoinedRecord>(
  ctx: Context,
  { kind, moveAsset }: Moving<R>,
  record: R,
  { status, reason }: RecordBody,
): Promise<R> {
  if (status === undefined || status === record.status) return record;
  if ("machine" in kind.status) return moveByMachine(ctx, kind, record, status, reason);
  await moveAsset(ctx, await ctx.getOrThrow(assets, record.assetId), status, { reason });
  return ctx.getOrThrow(kind.collection, record.id);
}
