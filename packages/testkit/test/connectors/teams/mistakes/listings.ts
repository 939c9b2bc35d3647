import { pageOf } from "@reeve/core/connectors";
import { bots, methods, read, send } from "../connector.js";
import { type Mistake, type Named, throwing } from "./mistake.js";

const agent = ({ id, name }: Named) => ({ externalId: id, assetType: "agent", name });

/** Mistakes of listings. */
export const listingMistakes: readonly Mistake[] = [
  [
    "leaves an item out",
    "a listing shows what is there, and is complete",
    () => ({
      async discoverAssets(ctx, page) {
        const { items, ...rest } = await methods.discoverAssets(ctx, page);
        return { ...rest, items: items.filter(({ externalId }) => externalId !== "bot-2") };
      },
    }),
  ],
  [
    "never claims to be complete",
    "a listing shows what is there, and is complete",
    () => ({
      discoverAssets: async (ctx, page) => ({ ...(await methods.discoverAssets(ctx, page)), complete: false }),
    }),
  ],
  [
    "gives larger pages than were asked for",
    "a listing shows the same with every size of pages, which none exceeds",
    () => ({ discoverAssets: (ctx, page) => methods.discoverAssets(ctx, { ...page, limit: page.limit + 1 }) }),
  ],
  [
    "names an item twice",
    "a listing names each item once, in the form of its kind",
    () => ({
      async discoverAssets(ctx, page) {
        const { items } = await bots(ctx, { limit: 100 });
        return pageOf([...items, ...items.slice(0, 1)].map(agent), page);
      },
    }),
  ],
  [
    "knows a level of privilege of its own",
    "a listing names each item once, in the form of its kind",
    () => ({
      async listAccessProfiles(ctx, query, page) {
        const { items, ...rest } = await methods.listAccessProfiles(ctx, query, page);
        return { ...rest, items: items.map((profile) => ({ ...profile, privilegeLevel: 9 as 4 })) };
      },
    }),
  ],
  [
    "reads no page that holds an odd record",
    "one odd record sinks no other, and a listing that had to leave one out is not called whole",
    () => ({
      async discoverAssets(ctx, page) {
        const answer = await methods.discoverAssets(ctx, page);
        return answer.rejected?.length ? throwing("invalid")() : answer;
      },
    }),
  ],
  [
    "reads links to next pages in one spelling",
    "a listing is the same in every legal spelling of the links to its pages",
    () => ({
      async discoverAssets(ctx, page) {
        const { nextCursor, ...rest } = await methods.discoverAssets(ctx, page);
        const path = `/bots?offset=${page.cursor ?? 0}&limit=${page.limit}`;
        const link = (await send(ctx, path)).headers.get("link");
        if (link !== null && !/^<[^>]*[?&]offset=\d+[^>]*>; rel="next"$/.test(link))
          return { ...rest, complete: false };
        return nextCursor === undefined ? rest : { ...rest, nextCursor };
      },
    }),
  ],
  [
    "takes the count of a page for that of all",
    "a listing whose pages contradict themselves is not called whole unless it shows everything",
    () => ({
      async discoverAssets(ctx, { cursor = "0", limit }) {
        const { items, total } = await read<{ items: Named[]; total: number }>(
          ctx,
          `/bots?offset=${cursor}&limit=${limit}`,
        );
        const end = Number(cursor) + items.length;
        if (items.length > 0 && end < total)
          return { items: items.map(agent), nextCursor: String(end), complete: false };
        return { items: items.map(agent), complete: true };
      },
    }),
  ],
  [
    "takes a new name for an id",
    "what is renamed keeps its id",
    () => ({
      async discoverAssets(ctx, page) {
        const { items, ...rest } = await methods.discoverAssets(ctx, page);
        const idOf = (id: string, name: string) => (name.endsWith("renamed") ? name : id);
        return { ...rest, items: items.map((one) => ({ ...one, externalId: idOf(one.externalId, one.name) })) };
      },
    }),
  ],
  [
    "keeps its place in the process",
    "a listing goes on in another process",
    () => {
      const places = new Map<string, string>();
      return {
        async discoverAssets(ctx, { cursor, ...page }) {
          const place = cursor === undefined ? undefined : places.get(cursor);
          if (cursor !== undefined && place === undefined) return throwing("invalid")();
          const { nextCursor, ...rest } = await methods.discoverAssets(ctx, {
            ...page,
            ...(place === undefined ? {} : { cursor: place }),
          });
          if (nextCursor === undefined) return rest;
          places.set(`place-${nextCursor}`, nextCursor);
          return { ...rest, nextCursor: `place-${nextCursor}` };
        },
      };
    },
  ],
];
