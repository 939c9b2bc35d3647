import { z } from "#schema/z.js";
import type { Collection } from "../records/collection.js";
import type { Stamped } from "../records/stamps.js";
import type { Context } from "./context.js";
import { listQuery } from "./list-query.js";
import { type Deprecation, defineOperation, type OperationSpec, type Worded } from "./operation.js";
import { pageOf } from "./page.js";

/** The path parameter of a single record. */
export const ById = z.object({
  id: z.string().meta({ description: "Id of the record.", example: "ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});

interface Resource<Id extends string, R extends Stamped, Tag extends string, Capability extends string>
  extends Worded<Tag, Capability> {
  readonly id: Id;
  readonly summary: string;
  /** The collection's path, as in `/api/v1/users`. */
  readonly path: string;
  readonly collection: Collection<R>;
  readonly schema: z.ZodType<R>;
  readonly extension?: boolean;
  readonly deprecated?: Deprecation;
}

/** `GET {path}/{id}`: one record as stored. */
export function readOperation<
  const Id extends string,
  R extends Stamped,
  const Tag extends string,
  const Capability extends string = never,
>(resource: Resource<Id, R, Tag, Capability>) {
  const { id, tag, summary, access, collection, schema, extension = false } = resource;
  return defineOperation({
    id,
    method: "GET",
    path: `${resource.path}/{id}`,
    tag,
    summary,
    access,
    extension,
    params: ById,
    success: { status: 200, schema },
    handler: (ctx, { params }) => ctx.getStored(collection, params.id),
  });
}

/**
 * `GET {path}`: records by the collection's filters, orders and search. `searched` names the searched fields for the
 * docs.
 */
export function listOperation<
  const Id extends string,
  R extends Stamped,
  const Tag extends string,
  const Capability extends string = never,
>(resource: Resource<Id, R, Tag, Capability> & { readonly searched?: string; readonly replica?: false }) {
  const {
    id,
    tag,
    summary,
    access,
    collection,
    schema,
    path,
    searched,
    extension = false,
    deprecated,
    replica,
  } = resource;
  return defineOperation({
    ...(deprecated ? { deprecated } : {}),
    ...(replica === undefined ? {} : { replica }),
    id,
    method: "GET",
    path,
    tag,
    summary,
    access,
    extension,
    query: listQuery(collection, searched),
    success: { status: 200, schema: pageOf(schema) },
    handler: (ctx, { query }) => ctx.page(collection, query),
  });
}

/** `DELETE {path}/{id}`: removes the record, unless `mayRemove` refuses. */
export function removeOperation<
  const Id extends string,
  R extends Stamped,
  const Tag extends string,
  const Capability extends string = never,
>(
  resource: Omit<Resource<Id, R, Tag, Capability>, "schema"> & {
    readonly errors?: OperationSpec<string, z.ZodType, z.ZodType, z.ZodType, z.ZodType>["errors"];
    readonly mayRemove?: (ctx: Context, record: R) => void;
  },
) {
  const { id, tag, summary, access, collection, extension = false, deprecated, mayRemove, errors = [] } = resource;
  return defineOperation({
    ...(deprecated ? { deprecated } : {}),
    id,
    method: "DELETE",
    path: `${resource.path}/{id}`,
    tag,
    summary,
    access,
    extension,
    errors,
    params: ById,
    success: { status: 204 },
    async handler(ctx, { params }) {
      const record = await ctx.getForUpdate(collection, params.id);
      mayRemove?.(ctx, record);
      await ctx.remove(collection, record);
      return undefined;
    },
  });
}
