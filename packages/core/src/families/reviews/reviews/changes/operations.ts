import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { timestamp } from "#ports/clock.js";
import { namesOf } from "../../names/queries.js";
import { visibleReview } from "../queries.js";
import { kindOf } from "../review-kinds.js";
import { reviews } from "../schema.js";
import { changesSince } from "./changes-since.js";
import { ChangesQuery, ReviewChanges } from "./schema.js";
import { subjectsOf } from "./subjects.js";

/** The most ids in changed values that are told by name. */
const MOST_NAMED = 100;
const ID = /[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}/g;

export const readChanges = defineOperation({
  id: "reviews.changes",
  method: "GET",
  path: "/api/v1/reviews/{id}/changes",
  tag: "Reviews",
  extension: true,
  summary: "Tell what has changed about what waits, since it was approved, decided or looked at",
  description:
    "Field by field, by undoing the events of the record; of an asset also of its agent, tool, model, identity or MCP server. What was changed and changed back is none.",
  access: { permission: "review:read" },
  params: ById,
  query: ChangesQuery,
  success: { status: 200, schema: ReviewChanges },
  async handler(ctx, { params, query: { since: wanted = "approval", from } }) {
    const review = await visibleReview(ctx, await ctx.getOrThrow(reviews, params.id));
    const { approves, refuses = [], ...kind } = kindOf(review);
    const { told, hidden } = await subjectsOf(ctx, review, kind);
    const moment = from === undefined ? undefined : timestamp(Date.parse(from));
    const found = await changesSince(ctx, told, (event) => {
      if (moment !== undefined) return event.at <= moment;
      if (event.subject !== review.subject.id) return false;
      const approved = approves?.(event) ?? false;
      if (wanted === "approval") return approved;
      return event.by === ctx.principal.userId && (approved || refuses.includes(event.move ?? ""));
    });
    const { since, complete } = found;
    const isCompared = since !== undefined || (moment !== undefined && complete);
    const items = isCompared ? [...found.items] : [];
    const ids = [...new Set(JSON.stringify(items.map(({ from: was, to }) => [was, to])).match(ID))];
    const [by = null] = since && moment === undefined ? await namesOf(ctx, [since.by], { people: true }) : [];
    const at = moment ?? since?.at;
    return {
      since: isCompared && at !== undefined ? { at, by } : null,
      recurs: approves !== undefined,
      complete: told.length > 0 && complete,
      items,
      hidden: [...hidden],
      names: await namesOf(ctx, ids.slice(0, MOST_NAMED)),
    };
  },
});
