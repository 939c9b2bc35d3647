import { assets } from "#families/estate/index.js";
import { assetTypeOf, textsComparedWith } from "#families/governance/index.js";
import { users } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Position } from "#store/find-query.js";

/** What is searched for: subjects or resources of a type, or names of actions. */
export type Searched = { readonly what: "subject" | "resource"; readonly type: string } | { readonly what: "action" };

/** Where a search stands: in the source of that number, behind a text or a row. */
export interface Standing {
  readonly source: number;
  readonly after?: string | Position;
  /** The last candidate that was looked at, where an answer was full before all that were read together. */
  readonly behind?: string;
}

/** Some candidates, and where the search goes on; `undefined` at the end. */
export interface Taken {
  readonly ids: readonly string[];
  readonly next: Standing | undefined;
}

type Source = (
  size: number,
  after: Standing["after"],
) => Promise<{ ids: readonly string[]; next?: string | Position | undefined }>;

/** The candidates of a search, in an order that stays while some come and go. */
export class Candidates {
  /** Whether Reeve knows every candidate there can be. */
  readonly complete: boolean;
  readonly #sources: readonly Source[];

  constructor(ctx: ReadContext, searched: Searched) {
    const assetType = searched.what === "action" ? undefined : assetTypeOf(searched.type);
    this.complete = assetType !== undefined;
    if (assetType !== undefined) this.#sources = [assetsOf(ctx, assetType)];
    else {
      const texts = textsOf(ctx, searched.what === "action" ? "action.name" : `${searched.what}.id`);
      const isPerson = searched.what === "subject" && searched.type === "user";
      this.#sources = isPerson ? [texts, peopleOf(ctx)] : [texts];
    }
  }

  /** At most so many from a standing on. */
  async take(size: number, { source, after, behind }: Standing): Promise<Taken> {
    const read = this.#sources[source];
    if (!read) return { ids: [], next: undefined };
    const { ids: found, next } = await read(size, after);
    // One that is gone since is not found, and those before it come again.
    const ids = behind === undefined ? found : found.slice(found.indexOf(behind) + 1);
    if (next !== undefined) return { ids, next: { source, after: next } };
    return { ids, next: source + 1 < this.#sources.length ? { source: source + 1 } : undefined };
  }
}

function assetsOf(ctx: ReadContext, assetType: string): Source {
  return async (size, after) => {
    const { rows, next } = await ctx.db.find(assets, {
      where: { assetType },
      size,
      ...(typeof after === "object" ? { after } : {}),
    });
    return { ids: rows.map(({ id }) => id), next };
  };
}

function peopleOf(ctx: ReadContext): Source {
  return async (size, after) => {
    const { rows, next } = await ctx.db.find(users, {
      where: { status: "active" },
      size,
      ...(typeof after === "object" ? { after } : {}),
    });
    return { ids: rows.map(({ value }) => value.username), next };
  };
}

/** The texts that rules in force compare a part of the question with. They are gathered once for an answer. */
function textsOf(ctx: ReadContext, path: string): Source {
  let gathered: Promise<readonly string[]> | undefined;
  return async (size, after) => {
    gathered ??= textsComparedWith(ctx, path).then((texts) => [...texts].sort());
    const texts = await gathered;
    const left = typeof after === "string" ? texts.filter((text) => text > after) : texts;
    return { ids: left.slice(0, size), next: left.length > size ? left[size - 1] : undefined };
  };
}
