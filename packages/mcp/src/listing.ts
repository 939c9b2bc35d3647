import type { Client, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { MCP_LIMITS } from "@reeve/core";
import { listingEnd } from "@reeve/core/connectors";
import type { McpCall } from "./call.js";
import { CallFailed } from "./failure.js";

type Method = "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list";

/** `items.ts` parses the answers. The client would drop unknown members, which pins must cover. */
const anyResult: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "reeve", validate: (value) => ({ value }) },
};

interface List<T> {
  readonly method: Method;
  /** The member of the answer with the entries. */
  readonly member: string;
  readonly read: (value: unknown) => T;
  /** Reading only the first entries is enough. */
  readonly partial?: boolean;
}

/** All entries of a list, page by page, within the limits. `truncated` only if `partial`. */
export async function listAll<T>(
  client: Client,
  call: McpCall,
  { method, member, read, partial = false }: List<T>,
): Promise<{ items: T[]; truncated: boolean }> {
  const items: T[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MCP_LIMITS.pages; page++) {
    const answer = await ask(client, call, method, cursor);
    const entries = answer[member];
    if (!Array.isArray(entries)) throw new CallFailed("protocol_error", "invalid_list");
    if (items.length + entries.length > MCP_LIMITS.items) {
      if (!partial) throw new CallFailed("too_many", member);
      items.push(...entries.slice(0, MCP_LIMITS.items - items.length).map(read));
      return { items, truncated: true };
    }
    items.push(...entries.map(read));
    const { nextCursor } = answer;
    // Some servers write an empty cursor after the last page.
    if (nextCursor === undefined || nextCursor === null || nextCursor === "") {
      const whole = isWhole(answer, entries.length, items.length, cursor);
      // Tools that are not shown are not gone, and a list without them is none to compare with.
      if (!whole && !partial) throw new CallFailed("protocol_error", "incomplete_list");
      return { items, truncated: !whole };
    }
    if (typeof nextCursor !== "string" || cursors.has(nextCursor))
      throw new CallFailed("protocol_error", "invalid_cursor");
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  if (!partial) throw new CallFailed("too_many", "pages");
  return { items, truncated: true };
}

/** Whether nothing in the last answer says that there is more, in whatever spelling. */
function isWhole(body: Record<string, unknown>, entries: number, read: number, cursor: string | undefined): boolean {
  return listingEnd({ entries, read, body, own: ["nextCursor"], ...(cursor === undefined ? {} : { cursor }) }).complete;
}

async function ask(
  client: Client,
  call: McpCall,
  method: Method,
  cursor: string | undefined,
): Promise<Record<string, unknown>> {
  const request = { method, params: cursor === undefined ? {} : { cursor } };
  const answer = await client.request(request, anyResult, { signal: call.signal, timeout: call.left() });
  if (typeof answer === "object" && answer !== null) return answer as Record<string, unknown>;
  throw new CallFailed("protocol_error", "invalid_list");
}

/** Refuses a list with two entries of one name, because a name would be ambiguous. */
export function distinct<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  if (new Set(items.map(nameOf)).size !== items.length) throw new CallFailed("protocol_error", "duplicate_name");
  return items;
}
