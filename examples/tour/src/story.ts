import type { Client } from "./client.js";
import { Unexpected } from "./expectation.js";
import type { Mailbox } from "./mailbox.js";
import type { Asset, McpServer, Person, Tool } from "./wire.js";

/** What one chapter hands to the next. */
export interface Story {
  /** Sets this run apart from all others. */
  readonly mark: string;
  /** The server, spoken to by nobody in particular. */
  readonly server: Client;
  /** Where the server keeps its mails. */
  readonly mailbox: Mailbox;
  /** Owns the tenant and asks for reviews. */
  ada?: Person;
  /** The second person: governance officer. */
  grace?: Person;
  mcpServer?: Asset;
  /** The technical side of the server, and of its tools. */
  mcpRecord?: McpServer;
  toolRecords?: readonly Tool[];
  tools: Asset[];
  /** Requests that the policy refused, as they should have been. */
  refusals: number;
  chain?: { readonly events: number; readonly head: string };
}

/** A value that an earlier chapter must have left. */
export function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Unexpected(`an earlier chapter left ${what}`, what, undefined);
  return value;
}
