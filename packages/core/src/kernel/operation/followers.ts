import { defineService } from "../config/environment.js";

/** A change of a record: `before` is absent for a new one, `after` for a removed one; `data` is what its transition said. */
export interface Followed<R> {
  readonly before: R | undefined;
  readonly after: R | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is done when a record changes. Who declares it knows the context and the record. */
export type Follow = (ctx: never, change: Followed<never>) => Promise<void>;

/** Who follows the changes of a collection, by its name. */
export type Followers = ReadonlyMap<string, readonly Follow[]>;

/** The followers of a control plane, which provides them. */
export const followersOf = defineService<Followers>("kernel.followers", () => new Map());

/** Followers by the name of the collection that they follow. */
export function composeFollowers(all: readonly { readonly collection: string; readonly follow: Follow }[]): Followers {
  const names = [...new Set(all.map(({ collection }) => collection))];
  return new Map(
    names.map((name) => [name, all.filter(({ collection }) => collection === name).map(({ follow }) => follow)]),
  );
}
