import type { Server } from "node:http";
import type { Settings } from "../settings/settings.js";

/** An HTTP server of either framework, as the service drives it. */
export interface HttpServer {
  readonly server: Server;
  listen(address: Pick<Settings, "host" | "port">): Promise<void>;
  /** Takes no more connections; resolves when those that are open have ended. */
  close(): Promise<void>;
}
