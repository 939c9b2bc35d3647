import {
  ConnectorError,
  type IncompleteReason,
  type ListingEnd,
  listingEnd,
  nextLink,
  type RejectedItem,
} from "@reeve/core/connectors";
import { z } from "zod";
import type { CodeHost } from "./configuration.js";
import { failureOf } from "./failure.js";

type Parameters = Readonly<Record<string, unknown>>;

/** One page of a listing of the code host. */
export interface HostPage<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedItem[];
  /** Number of the next page. */
  readonly next?: number;
  /** Whether the listing is whole with a page that has no next one. */
  readonly end: ListingEnd;
}

/** A listing of the code host, read to its end. */
export interface HostList<T> extends Pick<HostPage<T>, "items" | "rejected"> {
  /** Why something may have been left out. */
  readonly doubt: IncompleteReason | null;
}

/** Requests to a code host. They reject with `ConnectorError`. */
export interface Api {
  read<T>(route: string, parameters: Parameters, shape: z.ZodType<T>): Promise<T>;
  page<T>(route: string, parameters: Parameters, shape: z.ZodType<T>): Promise<HostPage<T>>;
  /** Every item, of at most 5,000. */
  all<T>(route: string, parameters: Parameters, shape: z.ZodType<T>): Promise<HostList<T>>;
  write(route: string, parameters: Parameters): Promise<unknown>;
}

export const PER_PAGE = 100;
const MOST_PAGES = 50;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

export async function apiOf(ctx: CodeHost): Promise<Api> {
  const { Octokit } = await octokit();
  const { baseUrl } = ctx.config;
  const client = new Octokit({
    auth: await ctx.secret("token"),
    baseUrl: baseUrl.replace(/\/+$/, ""),
    userAgent: "reeve",
    log: silent,
    request: { fetch: ctx.fetch, signal: ctx.signal },
  });
  async function send(route: string, parameters: Parameters) {
    const method = route.split(" ", 1)[0] as string;
    // A write that is redirected would go on as a read, whose answer says nothing of the write.
    const how = method === "GET" ? {} : { request: { redirect: "error" as const } };
    try {
      return await client.request(route, { ...parameters, ...how });
    } catch (error) {
      throw failureOf(error, method);
    }
  }
  async function page<T>(route: string, parameters: Parameters, shape: z.ZodType<T>): Promise<HostPage<T>> {
    const number = Number(parameters.page ?? 1);
    const asked = Number(parameters.per_page ?? PER_PAGE);
    const { data, headers } = await send(route, { per_page: asked, page: number, ...parameters });
    const all = shaped(data, z.array(z.unknown()));
    const given = new Headers(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    // Only whether there is a next page is believed, and not where it is.
    const linked = nextLink(given.get("link")).target !== undefined;
    const end = listingEnd({
      entries: all.length,
      read: readBy(number, asked, all.length, given),
      asked,
      headers: given,
    });
    // Pages have numbers, so where the host leaves in doubt whether there is another one, it is asked for.
    const more = linked || (all.length > 0 && !end.complete);
    return { ...shapedOf(all, shape), end, ...(more ? { next: number + 1 } : {}) };
  }
  return {
    page,
    async all(route, parameters, shape) {
      const [items, rejected]: [unknown[], RejectedItem[]] = [[], []];
      let before = "[]";
      for (let number = 1; number <= MOST_PAGES; number += 1) {
        const read: HostPage<unknown> = await page(route, { ...parameters, page: number }, shape);
        const now = JSON.stringify(read.items);
        const repeats = now === before && read.items.length > 0;
        if (!repeats) {
          items.push(...read.items);
          rejected.push(...read.rejected);
        }
        before = now;
        const doubt = rejected.length > 0 ? "rejected" : read.end.complete ? null : read.end.incomplete;
        if (repeats || read.next === undefined)
          return { items: items as never, rejected, doubt: repeats ? "repeated" : doubt };
      }
      throw new ConnectorError("invalid", "The code host lists more than is read.", { code: "too_many" });
    },
    read: async (route, parameters, shape) => shaped((await send(route, parameters)).data, shape),
    write: async (route, parameters) => (await send(route, parameters)).data,
  };
}

const ODD = "It is not shaped as documented.";

/** What of a list is shaped as documented. */
function shapedOf<T>(given: readonly unknown[], shape: z.ZodType<T>) {
  const read = given.map((item) => shape.safeParse(item));
  const rejected: RejectedItem[] = read.flatMap(({ success }) => (success ? [] : [{ reason: ODD }]));
  return { items: read.flatMap(({ data }) => (data === undefined ? [] : [data])), rejected };
}

/** Items up to a page with them. Hosts may give smaller pages than are asked for, so a total may be less than they are. */
function readBy(number: number, asked: number, entries: number, headers: Headers): number {
  const most = (number - 1) * asked + entries;
  const total = Number(headers.get("x-total-count") ?? headers.get("x-total") ?? Number.NaN);
  return number > 1 && total < most ? total : most;
}

async function octokit() {
  try {
    return await import("@octokit/rest");
  } catch (cause) {
    throw new ConnectorError("config", "Install @octokit/rest, which this connector needs.", {
      code: "library",
      cause,
    });
  }
}

function shaped<T>(data: unknown, shape: z.ZodType<T>): T {
  const read = shape.safeParse(data);
  if (read.success) return read.data;
  throw misshapen();
}

const misshapen = () =>
  new ConnectorError("invalid", "The code host answered in another shape than documented.", { code: "shape" });
