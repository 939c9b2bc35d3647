import type { AnyInit } from "./call.js";
import type { Answer } from "./call-types.js";

type Get = (path: string, init?: AnyInit) => Promise<Answer<unknown>>;

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** Every page from the one the query names to the end; a page may be short or empty and still have one behind it. */
export async function* walkPages(get: Get, path: string, init: AnyInit = {}): AsyncGenerator<Page, void, undefined> {
  let query = init.params?.query ?? {};
  for (;;) {
    const page = (await get(path, { ...init, params: { ...init.params, query } })).data as Page;
    yield page;
    if (page.nextCursor === null) return;
    const { page: _begun, ...filters } = query;
    query = { ...filters, cursor: page.nextCursor };
  }
}

export async function* walkItems(get: Get, path: string, init?: AnyInit): AsyncGenerator<unknown, void, undefined> {
  for await (const { items } of walkPages(get, path, init)) yield* items;
}
