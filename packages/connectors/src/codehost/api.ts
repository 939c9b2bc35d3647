import { ConnectorError, type RejectedItem } from "@reeve/core/connectors";
import { z } from "zod";
import { sift } from "../sift.js";
import type { CodeHost } from "./configuration.js";
import { failureOf } from "./failure.js";

type Parameters = Readonly<Record<string, unknown>>;

/** One page of a listing of the code host. */
export interface HostPage<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedItem[];
  /** Number of the next page. */
  readonly next?: number;
}

/** Requests to a code host. They reject with `ConnectorError`. */
export interface Api {
  read<T>(route: string, parameters: Parameters, shape: z.ZodType<T>): Promise<T>;
  page<T>(route: string, parameters: Parameters, shape: z.ZodType<T>): Promise<HostPage<T>>;
  /** Every item, of at most 5,000. */
  all<T>(route: string, parameters: Parameters, shape: z.ZodType<T>): Promise<readonly T[]>;
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
    const { data, headers } = await send(route, { per_page: PER_PAGE, page: number, ...parameters });
    const read = sift(shaped(data, z.array(z.unknown())), shape, "It is not shaped as documented.");
    // Only whether there is a next page is believed, and not where it is.
    const more = /;\s*rel="?next"?/.test(String(headers.link ?? ""));
    return { ...read, ...(more ? { next: number + 1 } : {}) };
  }
  return {
    page,
    async all(route, parameters, shape) {
      const items = [];
      for (let number: number | undefined = 1; number !== undefined; ) {
        if (number > MOST_PAGES)
          throw new ConnectorError("invalid", "The code host lists more than is read.", { code: "too_many" });
        const read: HostPage<unknown> = await page(route, { ...parameters, page: number }, shape);
        if (read.rejected.length > 0) throw misshapen();
        items.push(...read.items);
        number = read.next;
      }
      return items as never;
    },
    read: async (route, parameters, shape) => shaped((await send(route, parameters)).data, shape),
    write: async (route, parameters) => (await send(route, parameters)).data,
  };
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
