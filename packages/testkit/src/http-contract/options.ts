import type { ControlPlane } from "@reeve/core";

/** What to start: a server with this control plane under this prefix. */
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

/** How to run the HTTP contract on a kind of server. */
export interface HttpContractOptions {
  readonly name: string;
  /** Starts a server that answers requests which are not Reeve's with 404 and the text `HOST_NOT_FOUND`. */
  start(config: ServerConfig): Promise<RunningServer>;
  /** Where to mount the control plane; at the root and under one prefix when absent. */
  readonly prefixes?: readonly string[];
  /** Whether to mount the routes outside /api/v1; both ways when absent. */
  readonly rootRoutes?: readonly boolean[];
  /** The framework itself answers 400 to paths with broken percent-escapes. */
  readonly frameworkRefusesBrokenEscapes?: boolean;
}
