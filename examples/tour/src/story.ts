import type { Client } from "./client.js";
import { Unexpected } from "./expectation.js";
import type { Mailbox } from "./mailbox.js";
import type { Asset, McpServer, Person, Tool } from "./wire.js";

/** The state that chapters pass on. */
export interface Story {
  /** Makes the names of this run unique. */
  readonly mark: string;
  /** A client without a token. */
  readonly server: Client;
  /** The directory of the server's mails. */
  readonly mailbox: Mailbox;
  /** The owner of the tenant, who requests reviews. */
  ada?: Person;
  /** What opens the console to her. */
  adaSignsInBy?: { readonly username: string; readonly password: string };
  /** The four-eyes approver: governance officer. */
  grace?: Person;
  /** The third person: an approver. */
  hedy?: Person;
  mcpServer?: Asset;
  /** The typed records of the server and of its tools. */
  mcpRecord?: McpServer;
  toolRecords?: readonly Tool[];
  tools: Asset[];
  /** The number of requests that the policy refused as expected. */
  refusals: number;
  chain?: { readonly events: number; readonly head: string };
}

/** A value that an earlier chapter must have set. */
export function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Unexpected(`an earlier chapter left ${what}`, what, undefined);
  return value;
}
