import type { Server } from "node:http";
import type { Settings } from "../settings/settings.js";

/** An HTTP server of either framework. */
export interface HttpServer {
  readonly server: Server;
  listen(address: Pick<Settings, "host" | "port">): Promise<void>;
  /** Stops accepting connections. Resolves when open ones have ended. */
  close(): Promise<void>;
}
