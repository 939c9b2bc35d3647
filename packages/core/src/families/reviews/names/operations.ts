import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { namesOf } from "./queries.js";
import { Named } from "./schema.js";

/** The most ids asked about at once. */
const MOST_ASKED = 100;

const Names = z
  .object({ items: z.array(Named).meta({ description: "In the order asked, each once." }) })
  .meta({ id: "Names" });

export const listNames = defineOperation({
  id: "names.list",
  agents: "explain",
  method: "GET",
  path: "/api/v1/names",
  tag: "Reviews",
  summary: "Tell who and what ids stand for, by name",
  description:
    "Of users, AI identities, agents, tools, models, MCP servers, assets, policies and installations, so that a page shows names in place of ids. Names of kinds that the caller may not read are `hidden`; those of users are shown to whoever holds `review:assign` too.",
  extension: true,
  access: "signed-in",
  query: z.strictObject({
    ids: z
      .string()
      .max(8_000)
      .transform((text) => [...new Set(text.split(",").filter((id) => id !== ""))])
      .pipe(z.array(z.string()).min(1).max(MOST_ASKED))
      .meta({ description: `Up to ${MOST_ASKED} ids, with commas between.` }),
  }),
  success: { status: 200, schema: Names },
  handler: async (ctx, { query: { ids } }) => ({ items: await namesOf(ctx, ids) }),
});
