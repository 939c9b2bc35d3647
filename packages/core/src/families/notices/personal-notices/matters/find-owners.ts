import { type Asset, assets } from "#families/estate/index.js";
import { roles, type User, users } from "#families/identity/index.js";
import { visibleTo } from "#families/platform/index.js";
import { isIdOf } from "#store/collection.js";
import type { Asked } from "./matter.js";

/** The people whose an asset is: its owner and whoever stands in for the owner. */
export interface Owning {
  readonly asset: Asset;
  readonly whose: string | undefined;
  readonly people: readonly User[];
}

/**
 * The owners of these assets who may see what a permission protects, with those who stand in and may see it too. Owners are
 * users by their id or address.
 */
export async function ownersOf(
  { ctx, standIns }: Pick<Asked, "ctx" | "standIns">,
  assetIds: readonly string[],
  reads: string,
): Promise<ReadonlyMap<string, Owning>> {
  const rows = await ctx.db.getMany(assets, [...new Set(assetIds)]);
  const named = rows.map(({ value }) => ownerIn(value));
  const addresses = [...new Set(named.filter((id) => id !== undefined && !isIdOf(users, id)))] as string[];
  const found = await ctx.db.lookupMany(
    users,
    "username",
    addresses.map((username) => ({ username })),
  );
  const byAddress = new Map(addresses.map((address, at) => [address, found[at]?.value.id] as const));
  const owners = named.map((id) => (id === undefined ? undefined : (byAddress.get(id) ?? id)));
  const wanted = owners.flatMap((id) => (id === undefined ? [] : [id, ...standIns(id)]));
  const people = new Map((await ctx.db.getMany(users, [...new Set(wanted)])).map(({ id, value }) => [id, value]));
  const mayRead = (user: User | undefined) =>
    user?.status === "active" && visibleTo(ctx, ctx.env.use(roles).permissionsOf(user.roles))(reads);
  return new Map(
    rows.map(({ id, value: asset }, at) => {
      const whose = owners[at];
      const all = whose === undefined ? [] : [whose, ...standIns(whose)].map((one) => people.get(one));
      return [id, { asset, whose, people: all.filter((user): user is User => mayRead(user)) }] as const;
    }),
  );
}

const ownerIn = ({ owner }: Asset): string | undefined =>
  owner?.type === "user" || owner?.type === "external" ? owner.id : undefined;
