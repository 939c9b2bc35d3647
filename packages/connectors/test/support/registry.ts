import { createServer, type IncomingMessage } from "node:http";
import { listen, queryOf, stop } from "./http-server.js";

/** Where the published interface has metadata of the registry. */
export const OFFICIAL = "io.modelcontextprotocol.registry/official";

/** An entry in the published shape. */
export const entry = (name: string, server: object = {}, official: object = { status: "active", isLatest: true }) => ({
  server: { name, description: `What ${name} does.`, version: "1.2.0", ...server },
  _meta: { [OFFICIAL]: official },
});
export type Entry = ReturnType<typeof entry>;

/** A small server of the published interface of registries, below `/sub`. Its cursor names the last server. */
export async function startRegistry(first: readonly Entry[], token?: string) {
  let all = first;
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const allowed = token === undefined || request.headers.authorization === `Bearer ${token}`;
    if (pathname !== "/sub/v0.1/servers" || !allowed) return response.writeHead(allowed ? 404 : 401).end("{}");
    const query = queryOf(request);
    const wanted = all.filter((one) => one.server.name.includes(query.get("search") ?? ""));
    const from = wanted.findIndex((one) => one.server.name === query.get("cursor")) + 1;
    const servers = wanted.slice(from, from + Number(query.get("limit")));
    const more = from + servers.length < wanted.length;
    const metadata = { count: servers.length, ...(more ? { nextCursor: servers.at(-1)?.server.name } : {}) };
    return response.end(JSON.stringify({ servers, metadata }));
  });
  return {
    url: `${await listen(server)}/sub`,
    requests: requests as readonly IncomingMessage[],
    /** Changes what is listed, from the next request on. */
    list(entries: readonly Entry[]): void {
      all = entries;
    },
    close: () => stop(server),
  };
}
