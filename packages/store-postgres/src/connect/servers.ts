import pg from "pg";

/** Sessions that a store can use. A store writes, so it takes no server that must not. */
const SESSIONS = ["any", "read-write", "primary"];
const PARAMETER = "target_session_attrs";

/** The servers of a connection URL: `postgres://app@one:5432,two:5433/app?target_session_attrs=read-write`. */
export class Servers {
  /** A URL for each server. */
  readonly urls: readonly string[];
  readonly #mustWrite: boolean;
  #at = 0;

  /** Throws a `TypeError` for sessions that a store cannot use. */
  constructor(url: string) {
    const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? [];
    const [path = "", query = ""] = after.split(/\?(.*)/s);
    const parameters = query.split("&").filter((each) => each !== "");
    const wanted = parameters.find((each) => each.startsWith(`${PARAMETER}=`))?.slice(PARAMETER.length + 1) ?? "any";
    if (!SESSIONS.includes(wanted)) throw new TypeError(`url: ${PARAMETER} is one of ${SESSIONS.join(", ")}`);
    this.#mustWrite = wanted !== "any";
    const others = parameters.filter((each) => !each.startsWith(`${PARAMETER}=`)).join("&");
    const end = others === "" ? path : `${path}?${others}`;
    this.urls = hosts === "" ? [url] : hosts.split(",").map((host) => `${before}${host}${end}`);
  }

  /** The URL of the server that is tried next. */
  get current(): string {
    return this.urls[this.#at] as string;
  }

  /** Tries each server at most once, beginning with the one that did last. */
  async tryEach<T>(connect: () => Promise<T>): Promise<T> {
    for (let left = this.urls.length; ; left--) {
      const tried = this.current;
      try {
        return await connect();
      } catch (error) {
        if (left === 1 || this.current === tried) throw error;
      }
    }
  }

  /**
   * A class of clients of the current server, which start with these options after those of their URL. When one cannot
   * connect, or to a server that only reads, the next server becomes the current one.
   */
  clients(options = ""): typeof pg.Client {
    const servers = this;
    return class extends pg.Client {
      readonly #url = servers.current;

      constructor(config: pg.ClientConfig = {}) {
        super({ ...config, connectionString: servers.current });
        const { connectionParameters } = this as unknown as { connectionParameters: { options?: string } };
        connectionParameters.options = `${connectionParameters.options ?? ""} ${options}`.trim();
        // A connection can break before its pool listens, and an error without a listener ends the process.
        this.on("error", () => {});
      }

      override connect(): Promise<pg.Client>;
      override connect(callback: (error: Error) => void): void;
      override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
        const connecting = this.#connect();
        if (!callback) return connecting;
        const done = callback as (error?: Error) => void;
        connecting.then(() => done(), done);
        return undefined;
      }

      async #connect(): Promise<pg.Client> {
        try {
          await super.connect();
          if (servers.#mustWrite) await requireWrites(this);
          return this;
        } catch (error) {
          if (servers.current === this.#url) servers.#at = (servers.#at + 1) % servers.urls.length;
          throw error;
        }
      }
    } as typeof pg.Client;
  }
}

async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only !== "on") return;
  await client.end();
  throw new Error("Connection terminated: the server only reads");
}
