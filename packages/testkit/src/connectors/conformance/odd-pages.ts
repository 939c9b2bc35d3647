import type { AnswerChange } from "./page-relay.js";

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Legal spellings of the header `Link` (RFC 8288), by what is unusual in them. A listing is the same with each. */
export const LINK_SPELLINGS: Readonly<Record<string, AnswerChange>> = {
  "a relation without quotes": spelled((next) => [`<${next}>; rel=next`]),
  "names and relations in capitals": spelled((next) => [`<${next}> ; REL="NEXT"`]),
  "several relations in one": spelled((next) => [`<${next}>; rel="last next https://rel.example/more"`]),
  "parameters before the relation, with signs in them": spelled((next) => [
    `<${next}>; title="a, b; rel=\\"prev\\" <x>"; hreflang=en; rel="next"`,
  ]),
  "another link before it": spelled((next) => [
    `<${next}&other=1>; title="next; rel=next"; rel="self", <${next}>;rel="next"`,
  ]),
  "several headers": spelled((next) => [`<${next}&other=1>; rel="self"`, `<${next}>; rel="next"`]),
  "an address that is relative": spelled((next) => {
    const { pathname, search } = new URL(next);
    return [`<${pathname}${search}>; rel="next"`];
  }),
  "an address of a query only": spelled((next) => [`<${new URL(next).search}>; rel="next"`]),
};

function spelled(spell: (next: string) => readonly string[]): AnswerChange {
  return (answer) => {
    const next = nextIn(answer.links);
    return next === undefined ? answer : { ...answer, links: spell(next) };
  };
}

function nextIn(links: readonly string[]): string | undefined {
  return /<([^<>]*)>\s*;\s*rel="?next"?/.exec(links.join(", "))?.[1];
}

/** What makes a page lie about its listing. A listing that says that it is whole has shown everything all the same. */
export const CONTRADICTIONS: Readonly<Record<string, AnswerChange>> = {
  ...Object.fromEntries(
    [
      "next_cursor",
      "nextCursor",
      "next",
      "nextPageToken",
      "next_page_token",
      "continuation-token",
      "endCursorNext",
    ].map((name) => [`a cursor that is called ${name}`, renamed((value) => ({ [name]: value }))]),
  ),
  "a cursor in an object of links": renamed((value) => ({ links: { next: { href: `/more?cursor=${value}` } } })),
  "a page without its cursor": (answer) => ({ links: [], body: mapped(answer.body, cursorOf, () => ({})) }),
  "a count of one page": (answer) => ({
    ...answer,
    body: mapped(answer.body, totalOf, (_value, name) => ({ [name]: entriesOf(answer.body) })),
  }),
  "a total of more than is listed": (answer) => ({
    ...answer,
    body: withMembers(answer.body, { totalCount: 1_000_003 }),
  }),
  "a mark that there is more": (answer) => ({ ...answer, body: withMembers(answer.body, { has_more: true }) }),
  "the first page again": (answer, first) => ({ ...answer, body: repeated(answer.body, first.body) }),
};

const cursorOf = (name: string, value: unknown) =>
  /next|cursor/i.test(name) && (typeof value === "string" || typeof value === "number") && value !== "";
const totalOf = (name: string, value: unknown) => /^total/i.test(name) && typeof value === "number";

function renamed(rename: (value: unknown) => Members): AnswerChange {
  return (answer) => ({ ...answer, body: mapped(answer.body, cursorOf, rename) });
}

type Chosen = (name: string, value: unknown) => boolean;

/** A body with some members changed, wherever they stand outside lists. */
function mapped(body: unknown, chosen: Chosen, change: (value: unknown, name: string) => Members): unknown {
  if (!isMembers(body)) return body;
  const members = Object.entries(body).flatMap(([name, value]) =>
    Object.entries(chosen(name, value) ? change(value, name) : { [name]: mapped(value, chosen, change) }),
  );
  return Object.fromEntries(members);
}

const withMembers = (body: unknown, more: Members): unknown =>
  isMembers(body) && listIn(body) !== undefined ? { ...body, ...more } : body;

const entriesOf = (body: unknown): number =>
  isMembers(body) ? ((body[listIn(body) ?? ""] as unknown[])?.length ?? 0) : 0;

/** The member with the entries. */
function listIn(body: Members): string | undefined {
  const lists = Object.entries(body).filter(([name, value]) => Array.isArray(value) && name !== "schemas");
  return lists[0]?.[0];
}

/** A page that holds the entries of the first one, and leads on as it did. */
function repeated(body: unknown, first: unknown): unknown {
  if (Array.isArray(body) && Array.isArray(first)) return body.length > 0 ? first : body;
  if (!isMembers(body) || !isMembers(first)) return body;
  const name = listIn(body);
  if (name === undefined || (body[name] as unknown[]).length === 0) return body;
  return { ...body, [name]: first[name] ?? body[name] };
}
