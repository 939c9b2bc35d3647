import { Agent, get } from "node:http";
import { ConnectorError } from "@reeve/core/connectors";
import type { Ctx } from "./connector.js";

interface Way {
  /** Asks the context for the address first. */
  readonly checked: boolean;
  /** Ends with the signal. */
  readonly abortable: boolean;
  /** Leaves the connection open. */
  readonly kept: boolean;
}

/** Reads a path of the service by a connection of the connector's own. */
export async function readBy<T>(ctx: Ctx, path: string, { checked, abortable, kept }: Way): Promise<T> {
  const { hostname, port } = new URL(ctx.config.url);
  if (checked) await ctx.address(hostname, Number(port));
  const headers = { authorization: `Bearer ${await ctx.secret("token")}` };
  const agent = new Agent({ keepAlive: kept });
  const options = { headers, agent, ...(abortable ? { signal: ctx.signal } : {}) };
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(new ConnectorError("transient", "The service cannot be reached."));
    get(`${ctx.config.url}${path}`, options, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
      } catch {
        return fail();
      }
      if (response.statusCode === 401) reject(new ConnectorError("auth", "The service refuses the token."));
      else resolve(JSON.parse(Buffer.concat(chunks).toString()) as T);
    }).once("error", fail);
  });
}
