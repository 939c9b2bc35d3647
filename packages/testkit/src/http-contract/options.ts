import type { ControlPlane } from "@reeve/core";

/** What to start: a server with this control plane mounted under this prefix. */
export interface ServerConfig {
  readonly controlPlane: ControlPlane;
  /** Empty for the root. */
  readonly prefix: string;
}

/** A server that listens on 127.0.0.1. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** How to run the HTTP contract on one kind of server. */
export interface HttpContractOptions {
  readonly name: string;
  /** Starts a server whose answer to what the control plane leaves alone is 404 with `HOST_NOT_FOUND` as its text. */
  start(config: ServerConfig): Promise<RunningServer>;
  /** Where to mount the control plane. Root and one prefix when absent. */
  readonly prefixes?: readonly string[];
  /** Whether to mount the routes outside /api/v1. Both ways when absent. */
  readonly rootRoutes?: readonly boolean[];
  /** The framework itself answers paths with broken percent-escapes, with 400. */
  readonly frameworkRefusesBrokenEscapes?: boolean;
}
