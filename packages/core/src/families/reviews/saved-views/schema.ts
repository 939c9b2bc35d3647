import { defineCollection } from "#kernel/records/collection.js";
import { Name } from "#kernel/records/generic-body.js";
import { recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** The most views that one person keeps, and the most filters of one. */
export const MOST_VIEWS = 100;
const MOST_FILTERS = 20;

/** The value of `readers` for views that the whole tenant sees. */
export const EVERYBODY = "*";

const Shared = z.boolean().meta({ description: "Whether all of the tenant who may use views see it." });

/** What a caller says of a view. */
export const SavedViewFields = z.strictObject({
  list: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,49}(?:\/[a-z][a-z0-9-]{0,49}){0,3}$/)
    .meta({ description: "The list that it is a view of, by a name that its pages give it.", example: "estate" }),
  name: Name,
  filters: z
    .record(z.string().min(1).max(50), z.string().max(200))
    .refine((filters) => Object.keys(filters).length <= MOST_FILTERS, `At most ${MOST_FILTERS} filters.`)
    .meta({
      description: "Names and values of filters as pages have them in their address. Reeve keeps them as texts.",
      example: { type: "agent", governance: "suspended" },
    }),
  shared: Shared.default(false),
});

/** A view of a list as it is stored and served. */
export const SavedView = z
  .object({ ...recordFields, ...SavedViewFields.shape, shared: Shared })
  .meta({ id: "SavedView" });
export type SavedView = z.output<typeof SavedView>;

/** Filters of lists that people have given a name, each of its maker unless it is shared. */
export const savedViews = defineCollection<SavedView>({
  name: "saved_views",
  prefix: "svw",
  schema: SavedView,
  // Who may see events may not see what private views hold.
  resource: { type: "saved_view", event: "saved_view", path: "/api/v1/saved-views", readBy: [] },
  fields: {
    createdBy: { type: "text", compare: "exact" },
    list: { type: "text", compare: "exact" },
    name: { type: "text", compare: "caseless" },
    shared: { type: "boolean" },
    /** Who sees it: its maker, or everybody. */
    readers: { type: "text", of: ({ shared, createdBy }) => (shared ? EVERYBODY : createdBy) },
  },
  unique: { name: ["createdBy", "list", "name"] },
  indexes: [{ where: ["createdBy"] }, { where: ["readers"] }],
  filters: {
    list: { description: "Only views of this list." },
    shared: { type: "boolean", description: "Only views that are shared, or only one's own that are not." },
    readers: {},
  },
});
