/** What the members of an answer say of the listing, apart from its entries. */
export interface Signs {
  /** A member names a next page. */
  readonly cursor: boolean;
  /** A member says that this is the end. */
  readonly end: boolean;
  /** Entries in all, as members count them. */
  readonly totals: readonly number[];
  /** Entries of this page, or in all, as members count them. */
  readonly counts: readonly number[];
  /** Pages in all, as members count them. */
  readonly pages: readonly number[];
}

/** How deep members are looked at. */
const DEPTH = 3;
/** Members of an object that are looked at. */
const MEMBERS = 200;

const ONWARD = /cursor|continu|pagetoken|lastevaluatedkey|scrollid|resum(e|ption)token|^(marker|bookmark|after)$/;
/** What names another page than the next one, or is given with the last page too. */
const OTHER = /prev|first|start|begin|before|self|current|end|^last/;
const NEXT = /next(?!update|refresh|run|sync|poll|check|reset|release|version)/;
const MORE = /^(is|has|are)?(more|truncated|incomplete|partial)|^(has|is)next/;
const DONE = /^(is)?(last|final|done|complete|completed|finished|end)(page)?$/;
const THINGS = "(results?|items?|records?|entries|elements?|hits|rows|objects?|resources?|matches|available|size)?";
const TOTAL = new RegExp(`^(total${THINGS}(count|number)?|(count|number)?total|(num|number)found|(item|record)count)$`);
const COUNT = /^(count|returned|returnedcount|numberofelements|numresults|numberofresults|resultcount)$/;
const PAGES = /^(totalpages?|pagecount|pages|lastpage|numberofpages|numpages|pagestotal)$/;

/** Reads the signs of a body. `asked` is the cursor of the request, which targets repeat; `own` the protocol's name for it. */
export function signsOf(body: unknown, { asked, own = [] }: { asked?: string; own?: readonly string[] } = {}): Signs {
  const known = new Set(own.map(plain));
  const signs = { cursor: false, end: false, totals: [], counts: [], pages: [] } as {
    -readonly [K in keyof Signs]: Signs[K] extends readonly number[] ? number[] : boolean;
  };
  const look = (value: unknown, depth: number): void => {
    if (!isObject(value) || depth > DEPTH) return;
    for (const [given, member] of Object.entries(value).slice(0, MEMBERS)) {
      if (given === "_meta") continue;
      const name = plain(given);
      const number = numberOf(member);
      if (known.has(name)) {
        if (leads(member, asked)) signs.cursor = true;
        else signs.end = true;
      } else if (MORE.test(name) && typeof member === "boolean") {
        if (member) signs.cursor = true;
        else signs.end = true;
      } else if (DONE.test(name) && typeof member === "boolean") {
        if (member) signs.end = true;
        else signs.cursor = true;
      } else if (PAGES.test(name) && number !== undefined) signs.pages.push(number);
      else if (TOTAL.test(name) && number !== undefined) signs.totals.push(number);
      else if (COUNT.test(name) && number !== undefined) signs.counts.push(number);
      else if (NEXT.test(name) || (ONWARD.test(name) && !OTHER.test(name))) signs.cursor ||= leads(member, asked);
      else look(member, depth + 1);
    }
  };
  look(body, 1);
  return signs;
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value >= 0 ? value : undefined;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Whether a member that names a next page leads to one. */
function leads(value: unknown, asked: string | undefined, depth = 1): boolean {
  if (typeof value === "string") return value.trim() !== "" && value !== asked;
  if (typeof value === "number") return value > 0 && String(value) !== asked;
  if (typeof value === "boolean") return value;
  return isObject(value) && depth <= DEPTH && Object.values(value).some((inner) => leads(inner, asked, depth + 1));
}
