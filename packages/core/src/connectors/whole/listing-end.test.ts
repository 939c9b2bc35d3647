import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextLink, readLinks } from "./links.js";
import { type LastPage, listingEnd } from "./listing-end.js";

const page = (more: Partial<LastPage> = {}): LastPage => ({ entries: 3, asked: 100, own: ["nextCursor"], ...more });
const withHeaders = (headers: Record<string, string>, more: Partial<LastPage> = {}) =>
  page({ headers: new Headers(headers), ...more });

describe("a last page", () => {
  it.each<[string, LastPage]>([
    ["says nothing else", page()],
    ["has the count of its entries", page({ body: { items: [1, 2, 3], metadata: { count: 3 } } })],
    ["has the total of all entries", page({ read: 9, body: { totalResults: 9, count: 3 } })],
    ["is full, and has an empty cursor", page({ asked: 3, body: { nextCursor: null } })],
    ["is full, and says that there is no more", page({ asked: 3, body: { has_more: false } })],
    ["is full, and completes the total", page({ asked: 3, read: 9, body: { total: 9 } })],
    ["repeats the cursor of its request", page({ cursor: "c2", body: { cursor: "c2" } })],
    ["names the page before", page({ body: { prevCursor: "c1", links: { prev: "/a", self: "/b", first: "/c" } } })],
    ["is empty", page({ entries: 0, asked: 3 })],
    ["says when the next release is", page({ body: { nextReleaseAt: "2026-12-01" } })],
    ["links to the pages before", withHeaders({ link: '</a?page=1>; rel="prev first"' })],
    ["counts in its headers", withHeaders({ "x-total-count": "3", "content-range": "items 0-2/3", "x-next-page": "" })],
  ])("that %s is the end", (_what, last) => {
    expect(listingEnd(last)).toEqual({ complete: true });
  });

  it.each<[string, LastPage, string]>([
    ["is full", page({ asked: 3 }), "full_page"],
    ["is full, with a total that may count it only", page({ asked: 3, body: { total: 3 } }), "full_page"],
    ["counts more", page({ body: { total: 9 } }), "count"],
    ["counts more as a text", page({ body: { meta: { total_count: "9" } } }), "count"],
    ["counts itself otherwise", page({ body: { metadata: { count: 9 } } }), "count"],
    ["counts one page of several", page({ read: 9, body: { totalResults: 3 } }), "count"],
    ["counts more pages", page({ body: { page: { totalPages: 2 } } }), "count"],
    ["counts more in a header", withHeaders({ "x-total-count": "9" }), "count"],
    ["counts more in its range", withHeaders({ "content-range": "items 0-2/9" }), "count"],
    ...[
      "next_cursor",
      "next",
      "nextPageToken",
      "next-page",
      "NextToken",
      "continuationToken",
      "cursor",
      "scroll_id",
    ].map((name): [string, LastPage, string] => [
      `has ${name}`,
      page({ body: { metadata: { [name]: "abc" } } }),
      "cursor",
    ]),
    ["has a number for a cursor", page({ body: { next: 4 } }), "cursor"],
    ["has an address for a cursor", page({ body: { paging: { next: { after: "a", link: "/b" } } } }), "cursor"],
    ["has the annotation of OData", page({ body: { "@odata.nextLink": "https://x.example/y" } }), "cursor"],
    ["says that there is more", page({ body: { hasMore: true } }), "cursor"],
    ["says that it is not the last", page({ body: { last: false } }), "cursor"],
    ["was cut off", page({ body: { truncated: true } }), "cursor"],
    ["names a next page in a header", withHeaders({ "x-next-page": "2" }), "cursor"],
    ["links to a next page", withHeaders({ link: "<?page=2>; rel=next" }), "link"],
    ["links in a way that cannot be read", withHeaders({ link: '?page=2; rel="next"' }), "link"],
    ["links to a next page of another thing", withHeaders({ link: '<?page=2>; rel=next; anchor="/other"' }), "link"],
    ["follows a page that was not whole", page({ before: "changed" }), "changed"],
  ])("that %s leaves it open whether there is more", (_what, last, incomplete) => {
    expect(listingEnd(last)).toEqual({ complete: false, incomplete });
  });

  it("is not the end with a cursor in any spelling of its name", () => {
    const words = fc.constantFrom(["next", "cursor"], ["next", "page", "token"], ["next"], ["continuation", "token"]);
    const join = fc.constantFrom<(words: readonly string[]) => string>(
      (all) => all.join("_"),
      (all) => all.join("-").toUpperCase(),
      (all) => all.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(""),
      (all) => `@x.${all.join("")}`,
    );
    const value = fc.oneof(
      fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
      fc.integer({ min: 1 }),
    );
    fc.assert(
      fc.property(words, join, value, (all, spell, cursor) => {
        const name = spell(all);
        if (name.startsWith("@x.") && !name.includes("next") && !name.includes("continuation")) return;
        const body = { [name.replace("@x.", "")]: cursor };
        expect(listingEnd(page({ own: [], body })).complete).toBe(false);
      }),
    );
  });
});

describe("the header Link", () => {
  it("is read in every legal spelling", () => {
    const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
    const blank = fc.constantFrom("", " ", "\t");
    const name = fc.constantFrom("title", "hreflang", "type", "media");
    const parameter = fc
      .tuple(name, fc.string({ unit: fc.constantFrom(...'abn,;<>=" \\ext') }))
      .map(([key, value]) => `${key}=${quoted(value)}`);
    const rel = fc.constantFrom("rel=next", 'rel="next"', 'REL="NEXT"', 'rel="prev next"', "rel = next");
    const link = fc
      .tuple(fc.array(parameter), rel, fc.array(parameter), blank)
      .map(
        ([before, relation, after, space]) =>
          `<?page=2>${[...before, relation, ...after].map((one) => `${space};${space}${one}`).join("")}`,
      );
    const other = fc.array(parameter).map((all) => ["<?page=1>", 'rel="self"', ...all].join("; "));
    fc.assert(
      fc.property(fc.array(other), link, fc.array(other), (before, next, after) => {
        expect(nextLink([...before, next, ...after].join(" , "))).toEqual({ target: "?page=2", odd: false });
      }),
    );
  });

  it("is never read without an end, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>;,="\\ relnxt') }), (header) => {
        expect(readLinks(header).links.every(({ target }) => header.includes(target))).toBe(true);
      }),
    );
  });
});
