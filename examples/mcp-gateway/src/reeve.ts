import type { Limits } from "./limits.js";
import type { Json } from "./upstream.js";

/** Where Reeve is, and which server of its registry the gateway stands before. */
export interface Where {
  readonly url: string;
  /** Id of the server's record, and that of its asset. */
  readonly serverId: string;
  readonly serverAssetId: string;
}

/** Who sent a request. */
export interface Agent {
  readonly token: string;
  /** The client id of the identity that it runs as. */
  readonly id: string;
  /** The records of the tools that say what somebody has approved, by their names. */
  readonly approved: ReadonlyMap<string, Json>;
}

/** What the gateway asks, always with the token of its caller. It has no credential of its own. */
export interface Reeve {
  /** The agent that holds a token, or the status of a refusal: 401, 403, 429, or 503 where it cannot be known. */
  whoHas(token: string, gone: AbortSignal): Promise<Agent | number>;
  /** The names of the tools that the agent may call now. Rejects where that cannot be known. */
  openTools(agent: Agent, gone: AbortSignal): Promise<ReadonlySet<string>>;
}

/** The most pages of a list. */
const MOST_PAGES = 20;

export function reeveAt({ url, serverId }: Where, { questionMs }: Limits): Reeve {
  const ask = async (token: string, path: string, gone: AbortSignal, body?: object): Promise<Json> => {
    const answer = await fetch(url + path, {
      method: body ? "POST" : "GET",
      redirect: "error",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.any([gone, AbortSignal.timeout(questionMs)]),
    });
    if (answer.status === 200) return (await answer.json()) as Json;
    await answer.body?.cancel();
    throw new Refused(answer.status);
  };
  return {
    async whoHas(token, gone) {
      try {
        const { kind, id } = await ask(token, "/api/v1/me", gone);
        if (kind !== "client") return 403;
        const approved = new Map<string, Json>();
        await pages(async (cursor) => {
          const query = new URLSearchParams({ size: "100", status: "approved", ...(cursor && { cursor }) });
          const page = await ask(token, `/api/v1/ai/mcp-servers/${serverId}/tools?${query}`, gone);
          for (const tool of page.items as Json[])
            if ((tool.pin as Json).state === "in_sync") approved.set(String(tool.toolName), tool);
          return page.nextCursor;
        });
        return { token, id: String(id), approved };
      } catch (error) {
        const status = error instanceof Refused ? error.status : 503;
        // For agents of another tenant there is no such server.
        if (status === 404) return 401;
        return [401, 403, 429].includes(status) ? status : 503;
      }
    },
    async openTools({ token, id, approved }, gone) {
      const question = { subject: { type: "agent", id }, action: { name: "tools/call" }, resource: { type: "tool" } };
      const open = new Set<unknown>();
      await pages(async (cursor) => {
        const asked = { ...question, ...(cursor && { page: { token: cursor } }) };
        const { results, page } = await ask(token, "/access/v1/search/resource", gone, asked);
        for (const found of results as Json[]) open.add(found.id);
        return (page as Json).next_token;
      });
      return new Set([...approved].flatMap(([name, { assetId }]) => (open.has(assetId) ? [name] : [])));
    },
  };
}

/** An answer of Reeve that is no success. Its text is not kept. */
class Refused extends Error {
  constructor(readonly status: number) {
    super(`Reeve answered ${status}.`);
  }
}

/** Reads page by page, until there is no cursor. */
async function pages(read: (cursor: string) => Promise<unknown>): Promise<void> {
  let cursor = "";
  for (let page = 0; page < MOST_PAGES; page += 1) {
    cursor = String((await read(cursor)) ?? "");
    if (cursor === "") return;
  }
  throw new Error("The list has no end.");
}
