import { isIP } from "node:net";
import { ConnectorError } from "@reeve/core/connectors";
import type { Client } from "pg";
import { z } from "zod";
import { Declined, failureOf } from "./failure.js";
import type { Server } from "./manifest.js";

const MAX_BYTES = 8_388_608;
/** What is left of the time that a call has when the server gives up, so that its answer comes before the deadline. */
const RESERVE_MS = 250;
const LEAST_MS = 1_000;

/** A connection in a transaction. Text in `values` is sent apart from the statement. */
export interface Session {
  rows<T extends z.ZodType>(row: T, text: string, values?: readonly unknown[]): Promise<z.output<T>[]>;
  run(statement: string): Promise<void>;
}

/** Reads in a transaction that cannot write. */
export const reading = <T>(ctx: Server, work: (session: Session) => Promise<T>): Promise<T> =>
  inTransaction(ctx, "READ ONLY", work);

/** Writes in one transaction. Nothing has happened if `work` rejects. */
export const writing = <T>(ctx: Server, work: (session: Session) => Promise<T>): Promise<T> =>
  inTransaction(ctx, "READ WRITE", work);

async function inTransaction<T>(
  ctx: Server,
  mode: "READ ONLY" | "READ WRITE",
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const client = await opened(ctx);
  const close = () => void client.connection.stream.destroy();
  ctx.signal.addEventListener("abort", close, { once: true });
  client.on("error", () => undefined); // queries report it
  let committing = false;
  try {
    ctx.signal.throwIfAborted();
    limitAnswers(client);
    await client.connect();
    await client.query(`BEGIN ${mode}; ${settings(ctx)}`);
    const result = await work(sessionOf(client));
    committing = mode === "READ WRITE";
    await client.query("COMMIT");
    return result;
  } catch (error) {
    if (error instanceof Declined || ConnectorError.is(error)) throw error;
    throw failureOf(error, committing);
  } finally {
    ctx.signal.removeEventListener("abort", close);
    close();
  }
}

async function opened(ctx: Server): Promise<Client> {
  const { host, port, database, username, tls, ca } = ctx.config;
  const password = (await ctx.secret("password")) ?? "";
  const target = await ctx.address(host, port);
  const { Client } = await library();
  return new Client({
    host: target.address,
    port: target.port,
    database,
    user: username,
    password: () => password, // a function, so that neither PGPASSWORD nor a password file of this host is sent
    application_name: "reeve",
    ssl: tls === "verify" && {
      rejectUnauthorized: true,
      minVersion: "TLSv1.2",
      ...(isIP(target.serverName) === 0 ? { servername: target.serverName } : {}),
      ...(ca ? { ca } : {}),
    },
  });
}

async function library(): Promise<typeof import("pg")> {
  try {
    return (await import("pg")).default as unknown as typeof import("pg");
  } catch (cause) {
    throw new ConnectorError("fatal", "The package pg is not installed beside the connector.", { cause });
  }
}

/** The search path keeps what others have made from being taken for what PostgreSQL brings. */
function settings(ctx: Server): string {
  const milliseconds = Math.max(LEAST_MS, Math.floor(ctx.timeLeft()) - RESERVE_MS);
  return `SET LOCAL statement_timeout = ${milliseconds}; SET LOCAL search_path = pg_catalog, pg_temp`;
}

/** A server that answers without end is cut off, also one that lets nobody in. */
function limitAnswers({ connection }: Client): void {
  let bytes = 0;
  const limit = ({ stream }: Client["connection"]) =>
    void stream.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > MAX_BYTES) stream.destroy();
    });
  limit(connection);
  // TLS puts another stream over the first.
  connection.once("sslconnect", () => limit(connection));
}

const sessionOf = (client: Client): Session => ({
  async rows(row, text, values = []) {
    const { rows } = await client.query(text, [...values]);
    const { data } = z.array(row).safeParse(rows);
    if (!data) throw new ConnectorError("invalid", "The server answers what PostgreSQL does not.", { code: "answer" });
    return data;
  },
  async run(statement) {
    await client.query(statement);
  },
});
