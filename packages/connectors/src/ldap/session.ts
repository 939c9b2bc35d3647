import { ConnectorError } from "@reeve/core/connectors";
import type { Client, Entry, Filter } from "ldapts";
import { EXPECTED, failureOf, NO_SUCH_ATTRIBUTE, NO_SUCH_ENTRY, resultCode } from "./failure.js";
import { lineTo } from "./line.js";
import type { Directory } from "./manifest.js";

const MAX_ENTRIES = 50_000;
const PAGE_SIZE = 500;

type Library = typeof import("ldapts");

/** What a search found. It is not whole if the directory referred to other servers, or did not page as it said. */
export interface Found {
  readonly entries: readonly Entry[];
  readonly whole: boolean;
}

/** A connection that is signed in. Names and values are sent as they are, without a syntax that they could break. */
export interface Session {
  readonly library: Library;
  /** Entries below a name. */
  search(baseDn: string, filter: Filter, attributes: readonly string[]): Promise<Found>;
  /** One entry by its name, if it is there and may be seen. */
  entry(dn: string, attributes: readonly string[]): Promise<Entry | undefined>;
  /** Whether an attribute of an entry has a value, by the directory's own rules. */
  has(dn: string, attribute: string, value: string): Promise<boolean>;
  /** Changes values of one attribute in one step. Resolves to the result code of a refusal. */
  change(dn: string, attribute: string, change: { add?: string; remove?: string }): Promise<number | undefined>;
}

/** Signs in, works, and closes the connection, which is also closed when the call is given up. */
export async function signedIn<T>(ctx: Directory, work: (session: Session) => Promise<T>): Promise<T> {
  const library = await loaded();
  const password = await ctx.secret("password");
  const line = await lineTo(ctx);
  const client = new library.Client(line.options);
  try {
    if (line.upgrade) await client.startTLS(line.upgrade);
    await client.bind(ctx.config.bindDn, password);
    return await work(sessionOf(library, client));
  } catch (error) {
    throw ConnectorError.is(error) ? error : failureOf(error, false);
  } finally {
    line.close();
  }
}

async function loaded(): Promise<Library> {
  try {
    return await import("ldapts");
  } catch (cause) {
    throw new ConnectorError("fatal", "The package ldapts is not installed beside the connector.", { cause });
  }
}

const sessionOf = (library: Library, client: Client): Session => ({
  library,

  async search(baseDn, filter, attributes) {
    const entries = new Map<string, Entry>();
    let whole = true;
    let latest = 0;
    const by = (pageSize: number) => ({ filter, attributes: [...attributes], paged: { pageSize } });
    for await (const page of pagesOf(client.searchPaginated(baseDn, by(PAGE_SIZE)))) {
      for (const entry of page.searchEntries) {
        if (entries.has(entry.dn))
          throw wrong("pagination_loop", "The pages of the directory lead back to themselves.");
        entries.set(entry.dn, entry);
      }
      if (page.searchReferences.length > 0) whole = false;
      latest = page.searchEntries.length;
      if (entries.size > MAX_ENTRIES) throw wrong("too_many", "The directory lists more than is read.");
    }
    // A full page that was the last one: a directory that goes on from a smaller one says so whenever it does.
    if (latest === PAGE_SIZE && entries.size === PAGE_SIZE) whole &&= await pagesAgain(by(PAGE_SIZE - 1));
    // 389 Directory Server answers below a base that it hides as if there were no entries.
    if (entries.size === 0 && !(await entryAt(client, baseDn, NO_ATTRIBUTES))) throw hidden();
    return { entries: [...entries.values()], whole };

    async function pagesAgain(smaller: ReturnType<typeof by>): Promise<boolean> {
      let pages = 0;
      for await (const _page of pagesOf(client.searchPaginated(baseDn, smaller))) {
        pages += 1;
        if (pages > 1) return true;
      }
      return false;
    }
  },

  entry: (dn, attributes) => entryAt(client, dn, attributes),

  async has(dn, attribute, value) {
    try {
      return await client.compare(dn, attribute, value);
    } catch (error) {
      if (MISSING.has(resultCode(error) ?? 0)) return false;
      throw error;
    }
  },

  async change(dn, attribute, { add, remove }) {
    const part = (operation: "add" | "delete", value: string | undefined) =>
      value === undefined
        ? []
        : [
            new library.Change({
              operation,
              modification: new library.Attribute({ type: attribute, values: [value] }),
            }),
          ];
    try {
      await client.modify(dn, [...part("add", add), ...part("delete", remove)]);
      return undefined;
    } catch (error) {
      const code = resultCode(error);
      if (code !== undefined && EXPECTED.has(code)) return code;
      throw failureOf(error, true);
    }
  },
});

async function entryAt(client: Client, dn: string, attributes: readonly string[]): Promise<Entry | undefined> {
  try {
    const { searchEntries } = await client.search(dn, { scope: "base", attributes: [...attributes] });
    return searchEntries[0];
  } catch (error) {
    if (MISSING.has(resultCode(error) ?? 0)) return undefined;
    throw error;
  }
}

/** A base that is gone or hidden is a mistake of the configuration, and not a directory without entries. */
async function* pagesOf<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pages;
  } catch (error) {
    if (resultCode(error) !== NO_SUCH_ENTRY) throw error;
    throw hidden(error);
  }
}

const hidden = (cause?: unknown) =>
  new ConnectorError("config", "The base is not there, or may not be seen.", { code: "base", cause });

/** Asks for the name of an entry alone (RFC 4511). */
const NO_ATTRIBUTES = ["1.1"];

/** Answers that say that something is not there, also under a name that can be no name. */
const INVALID_NAME = 34;
const MISSING: ReadonlySet<number> = new Set([NO_SUCH_ATTRIBUTE, NO_SUCH_ENTRY, INVALID_NAME]);

const wrong = (code: string, message: string) => new ConnectorError("invalid", message, { code });
