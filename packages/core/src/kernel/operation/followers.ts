import { defineService } from "../config/environment.js";

/**
 * A change of a record. `before` is absent for a new record and `after` for a removed one. `data` is the data of its
 * transition.
 */
export interface Followed<R> {
  readonly before: R | undefined;
  readonly after: R | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The work of a follower. Its declaration knows the types of context and record. */
export type Follow = (ctx: never, change: Followed<never>) => Promise<void>;

/** Followers by the name of their collection. */
export type Followers = ReadonlyMap<string, readonly Follow[]>;

/** The followers of a control plane. */
export const followersOf = defineService<Followers>("kernel.followers", () => new Map());

/** Groups followers by the name of their collection. */
export function composeFollowers(all: readonly { readonly collection: string; readonly follow: Follow }[]): Followers {
  const names = [...new Set(all.map(({ collection }) => collection))];
  return new Map(
    names.map((name) => [name, all.filter(({ collection }) => collection === name).map(({ follow }) => follow)]),
  );
}
