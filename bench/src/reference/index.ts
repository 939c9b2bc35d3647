import { createServer, type RequestListener } from "node:http";
import { listen, type ServerConfig, type Serving } from "../server.js";
import { expressReference } from "./express.js";
import { fastifyReference } from "./fastify.js";
import { listenerReference } from "./listener.js";
import { PostgresBackend } from "./postgres.js";
import { Service } from "./service.js";
import { SqliteBackend } from "./sqlite.js";
import { Verifier } from "./token.js";

/** Starts a hand-written server on a database created by Reeve. */
export async function serveReference({ framework, database, kind, issuer }: ServerConfig): Promise<Serving> {
  const backend =
    database.store === "sqlite" ? new SqliteBackend(database.location) : new PostgresBackend(database.location);
  const service = new Service(backend, await Verifier.from(backend, issuer), kind === "text");
  const close = async () => backend.close();
  if (framework === "fastify") {
    const app = fastifyReference(service);
    return { url: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close().then(close) };
  }
  const handler: RequestListener = framework === "express" ? expressReference(service) : listenerReference(service);
  return listen(createServer(handler), close);
}
