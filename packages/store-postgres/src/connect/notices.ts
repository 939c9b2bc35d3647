import { randomUUID } from "node:crypto";
import type { ChangeListener, Logger } from "@reeve/core/store";
import pg from "pg";
import type { Namespace } from "../statement/namespace.js";
import { CHANNEL, changeOf } from "../statement/notice.js";
import type { Dialer } from "./connection.js";
import { withDeadline } from "./deadline.js";

/** Delays between attempts to connect, in ms. They double up to the maximum. */
const FIRST_WAIT_MS = 100;
const MOST_WAIT_MS = 5_000;
/** Maximum wait for an answer of the server, in ms. */
const ANSWER_MS = 5_000;

export interface NoticesOptions {
  /** Must reach the server itself. A transaction pooler passes the session and its notices to others. */
  readonly dialer: Dialer;
  readonly namespace: Namespace;
  readonly logger: Logger;
  /** Sends a notice on another way, by which it is proved that this one leads to the server. */
  readonly notify?: (channel: string, payload: string) => Promise<unknown>;
}

/** Methods missing in the driver's types. They set whether the connection keeps the process alive. */
type Referable = pg.Client & { ref(): void; unref(): void };

/** A connection that listens for changes and reconnects when it breaks. */
export class Notices {
  readonly #listeners = new Set<ChangeListener>();
  /** The listening connection, or the one being opened. */
  #client: pg.Client | undefined;
  #first: Promise<void> | undefined;
  #attempt: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #waitMs = FIRST_WAIT_MS;
  #closed = false;

  constructor(private readonly options: NoticesOptions) {}

  /** Resolves once the first attempt to connect has succeeded or failed. */
  add(listener: ChangeListener): Promise<void> {
    this.#listeners.add(listener);
    this.#first ??= this.#start();
    return this.#first;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#attempt;
    const client = this.#client as Referable | undefined;
    // Keeps the process alive until the connection has ended.
    client?.ref();
    if (client) await this.#end(client);
  }

  /** Ends a connection. A broken one cannot be ended cleanly. */
  async #end(client: pg.Client): Promise<void> {
    try {
      await withDeadline(client, ANSWER_MS, client.end());
    } catch (error) {
      this.options.logger.info({ error: messageOf(error) }, "a connection for notices could not be ended in order");
    }
  }

  #start(): Promise<void> {
    this.#attempt = this.#connect();
    return this.#attempt;
  }

  async #connect(): Promise<void> {
    const { dialer, namespace } = this.options;
    const client = dialer.client({ application_name: "reeve-notices" });
    this.#client = client;
    // A broken connection emits an error event, which would end the process without a listener.
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ payload }) => this.#tell(changeOf(payload)));
    try {
      await client.connect();
      await withDeadline(client, ANSWER_MS, client.query(`listen ${pg.escapeIdentifier(namespace.text(CHANNEL))}`));
      (client as Referable).unref();
      this.#waitMs = FIRST_WAIT_MS;
      // Commits before this moment may have been missed.
      for (const listener of this.#listeners) listener(undefined);
      void this.#prove(client);
    } catch (error) {
      this.#lost(client, error);
    }
  }

  /** A transaction pooler takes `LISTEN` as a server does, and then passes on no notice. */
  async #prove(client: pg.Client): Promise<void> {
    const { notify, namespace, logger } = this.options;
    if (!notify) return;
    const mark = randomUUID();
    const heard = new Promise<boolean>((resolve) => {
      client.on("notification", ({ payload }) => payload === mark && resolve(true));
      setTimeout(resolve, ANSWER_MS, false).unref();
    });
    try {
      await notify(namespace.text(CHANNEL), mark);
    } catch {
      return;
    }
    if ((await heard) || this.#client !== client || this.#closed) return;
    logger.warn({}, "directUrl leads to no server that passes on notices: changes elsewhere take up to five seconds");
  }

  #tell(change: Parameters<ChangeListener>[0]): void {
    if (!change) return;
    for (const listener of this.#listeners) listener(change);
  }

  #lost(client: pg.Client, error?: unknown): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    const failed = error === undefined ? {} : { error: messageOf(error) };
    this.options.logger.warn(failed, "changes of other processes are not heard; caches age until they are");
    void this.#end(client);
    this.#retry = setTimeout(() => void this.#start(), this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, MOST_WAIT_MS);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
