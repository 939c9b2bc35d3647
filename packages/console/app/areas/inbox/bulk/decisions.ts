import type { Client } from "@reeve/client";
import type { OpenedMatter } from "../matters/matter.js";

/** The one request of a decision, with the version or digest that was read. It is sent as it is, also after a reload. */
export interface Asked {
  readonly verb: "POST" | "PATCH" | "PUT";
  readonly path: string;
  readonly params?: object;
  readonly body?: unknown;
  readonly ifMatch?: { readonly version: number };
}

/** A review that is approved with others, and what became of it. */
export interface Decision {
  readonly review: { readonly id: string; readonly name: string; readonly subjectId: string };
  readonly asked: Asked;
  /** The idempotency key: however often it is sent, it decides once. */
  readonly key: string;
  /** The server's time when it was read. */
  readonly readAt: string | null;
  /** `sent` is what was sent and not heard of. */
  readonly state: "waiting" | "sent" | "decided" | "refused";
  /** Why it was refused. */
  readonly words: string | null;
}

export interface Bulk {
  readonly decisions: readonly Decision[];
}

/** The request that an approval would send, without sending it. `undefined` where it would send none. */
export async function requestOf({ ways }: OpenedMatter, reason: string): Promise<Asked | undefined> {
  const asked: Asked[] = [];
  const keep =
    (verb: Asked["verb"]) =>
    async (path: string, init: Omit<Asked, "verb" | "path"> = {}) => {
      const { params, body, ifMatch } = init;
      // What was read is named by its version; the rest of it need not be kept.
      const bound = ifMatch === undefined ? {} : { ifMatch: { version: ifMatch.version } };
      asked.push({ verb, path, ...(params ? { params } : {}), ...(body === undefined ? {} : { body }), ...bound });
      return { data: undefined };
    };
  const keeper = { POST: keep("POST"), PATCH: keep("PATCH"), PUT: keep("PUT") };
  await ways.approve?.act({ reason }, keeper as unknown as Client);
  return asked[0];
}
