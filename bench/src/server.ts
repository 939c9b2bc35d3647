import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { PostgresStoreOptions } from "@reeve/store-postgres";

/** The database of a server: an SQLite file, or a PostgreSQL URL with options of its store. */
export interface Database {
  readonly store: "sqlite" | "postgres";
  readonly location: string;
  readonly options?: Partial<PostgresStoreOptions>;
}

/** A server to measure: Reeve, or a hand-written one that serves values (`dto`) or stored text (`text`). */
export interface ServerConfig {
  readonly kind: "reeve" | "dto" | "text";
  readonly framework: "fastify" | "express" | "listener";
  readonly database: Database;
  readonly issuer: string;
  /** 32 bytes, base64. */
  readonly masterKey: string;
  /** Whether doors are mounted beside the API. */
  readonly doors?: boolean;
}

export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a free port of loopback. */
export async function listen(server: Server, after: () => Promise<void>): Promise<Serving> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      await after();
    },
  };
}
