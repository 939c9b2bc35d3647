import { useQueries } from "@tanstack/react-query";
import { client, type components } from "./client.js";
import { figureKey } from "./keys.js";

export type Named = components["schemas"]["Named"];

/** The most ids that one question may hold. */
const AT_ONCE = 100;
/** What changes of these may rename. */
const TYPES = ["user", "ai_identity", "ai_agent", "ai_asset", "installation"];
const ID = /[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}/g;

/** Who and what ids stand for, by id, as far as the reader may see it. Empty until the server has said it. */
export function useNames(ids: readonly string[] = []): ReadonlyMap<string, Named> {
  const wanted = [...new Set(ids)].filter((id) => id !== "" && !id.includes(",")).sort();
  const parts = Array.from({ length: Math.ceil(wanted.length / AT_ONCE) }, (_, at) =>
    wanted.slice(at * AT_ONCE, (at + 1) * AT_ONCE).join(","),
  );
  return useQueries({
    queries: parts.map((part) => ({
      queryKey: figureKey("names", TYPES, { ids: part }),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await client.GET("/api/v1/names", { params: { query: { ids: part } }, signal })).data.items,
      staleTime: 300_000,
    })),
    combine: (answers) => new Map(answers.flatMap(({ data = [] }) => data.map((one) => [one.id, one] as const))),
  });
}

/** Somebody or something by id, with the name once it is known. */
export const namedOf = (names: ReadonlyMap<string, Named>, id: string): Pick<Named, "id" | "name" | "hidden"> =>
  names.get(id) ?? { id, name: null, hidden: false };

/** The ids in a value. */
export const idsIn = (value: unknown): readonly string[] => [...new Set(JSON.stringify(value)?.match(ID))];
