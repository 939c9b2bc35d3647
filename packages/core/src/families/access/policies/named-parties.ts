import { instances } from "#families/connectors/index.js";
import { assets } from "#families/estate/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { Collection } from "#kernel/records/collection.js";
import { accessProfiles } from "../profiles/schema.js";
import { accessResources } from "../resources/schema.js";

/** The most ids of one kind that terms may name together. */
const MOST_NAMED = 1_000;

/** What terms may be about, by id. */
export interface NamedThings {
  readonly profileIds?: readonly string[] | undefined;
  readonly connectorInstanceIds?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  readonly assetIds?: readonly string[] | undefined;
}

/** 400 where terms name what is not there, which would be about nothing. Looks once for each kind. */
export async function requireNamed(ctx: Context, named: readonly NamedThings[], pointer: string): Promise<void> {
  await requireAll(
    ctx,
    accessProfiles,
    named.flatMap(({ profileIds = [] }) => profileIds),
    pointer,
  );
  await requireAll(
    ctx,
    instances,
    named.flatMap(({ connectorInstanceIds = [] }) => connectorInstanceIds),
    pointer,
  );
  await requireAll(
    ctx,
    accessResources,
    named.flatMap(({ resourceIds = [] }) => resourceIds),
    pointer,
  );
  await requireAll(
    ctx,
    assets,
    named.flatMap(({ assetIds = [] }) => assetIds),
    pointer,
  );
}

/** 400 where an id is of no record of this kind. */
export async function requireAll(
  ctx: Context,
  collection: Pick<Collection, "name">,
  all: readonly string[],
  pointer: string,
): Promise<void> {
  const ids = [...new Set(all)];
  if (ids.length === 0) return;
  if (ids.length > MOST_NAMED) throw invalidProperty(pointer, "It names too many.");
  const known = new Set((await ctx.db.getMany<never>(collection as never, ids)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw noSuch(pointer, `There is no ${unknown}.`);
}

/** 400 for an id of nothing. */
export const noSuch = (pointer: string, message: string) =>
  new ReeveError("invalid_reference", undefined, { errors: [{ pointer, code: "invalid_reference", message }] });
