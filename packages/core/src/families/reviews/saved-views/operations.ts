import { notFound, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { EVERYBODY, MOST_VIEWS, SavedView, SavedViewFields, savedViews } from "./schema.js";

const PATH = "/api/v1/saved-views";
const shared = { tag: "Reviews", access: { permission: "saved-view:use" }, extension: true } as const;
const SHARE = "saved-view:share";

// Who asks says whose views these are, and no filter does.
const { readers: _readers, ...ownFilters } = savedViews.filters;

export const listSavedViews = defineOperation({
  ...shared,
  id: "savedViews.list",
  method: "GET",
  path: PATH,
  summary: "List the views of lists that one has saved, and those that are shared",
  query: listQuery({ ...savedViews, filters: ownFilters }),
  success: { status: 200, schema: pageOf(SavedView) },
  handler: (ctx, { query }) => ctx.page(savedViews, query, { where: { readers: [ctx.principal.userId, EVERYBODY] } }),
});

export const readSavedView = defineOperation({
  ...shared,
  id: "savedViews.read",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Read one view that one has saved, or that is shared",
  params: ById,
  success: { status: 200, schema: SavedView },
  handler: async (ctx, { params }) => visible(ctx, await ctx.getOrThrow(savedViews, params.id)),
});

export const createSavedView = defineOperation({
  ...shared,
  id: "savedViews.create",
  method: "POST",
  path: PATH,
  summary: "Store a view of a list under a name",
  description: `One person keeps up to ${MOST_VIEWS}. To share one takes \`${SHARE}\`.`,
  body: SavedViewFields.meta({
    id: "SavedViewRequest",
    example: { list: "estate", name: "Suspended agents", filters: { type: "agent", governance: "suspended" } },
  }),
  success: { status: 201, schema: SavedView },
  errors: ["already_exists", "limit_exceeded"],
  async handler(ctx, { body }) {
    if (body.shared) requirePermission(ctx.env, ctx.principal, SHARE);
    const { count } = await ctx.db.count(savedViews, { where: { createdBy: ctx.principal.userId } });
    if (count >= MOST_VIEWS) throw new ReeveError("limit_exceeded", `One person keeps ${MOST_VIEWS} views at most.`);
    return ctx.insert(savedViews, body);
  },
});

const { name, filters } = SavedViewFields.shape;

export const patchSavedView = defineOperation({
  ...shared,
  id: "savedViews.patch",
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Change the name of a saved view, its filters, or whether it is shared",
  description: `What is left out stays. To change a shared one, or to share one, takes \`${SHARE}\`.`,
  params: ById,
  body: z
    .strictObject({
      name: name.optional(),
      filters: filters.optional(),
      shared: SavedView.shape.shared.optional(),
    })
    .meta({ id: "SavedViewPatch", example: { name: "Suspended agents" } }),
  success: { status: 200, schema: SavedView },
  errors: ["already_exists"],
  async handler(ctx, { params, body }) {
    const view = await changeable(ctx, params.id);
    if (body.shared) requirePermission(ctx.env, ctx.principal, SHARE);
    return ctx.update(savedViews, view, body);
  },
});

export const removeSavedView = defineOperation({
  ...shared,
  id: "savedViews.remove",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Remove a saved view",
  description: `To remove a shared one takes \`${SHARE}\`.`,
  params: ById,
  success: { status: 204 },
  async handler(ctx, { params }) {
    await ctx.remove(savedViews, await changeable(ctx, params.id));
    return undefined;
  },
});

/** The view that the caller is about to change. 403 for a shared one without the permission to share. */
async function changeable(ctx: Context, id: string): Promise<SavedView> {
  const { shared } = visible(ctx, await ctx.getOrThrow(savedViews, id));
  if (shared) requirePermission(ctx.env, ctx.principal, SHARE);
  return ctx.getForUpdate(savedViews, id);
}

/** A view that the caller sees. 404 for one of somebody else that is not shared. */
function visible(ctx: ReadContext, view: SavedView): SavedView {
  if (view.shared || view.createdBy === ctx.principal.userId) return view;
  throw notFound();
}
