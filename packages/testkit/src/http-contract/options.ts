import type { ControlPlane } from "@reeve/core";

/** What to start: a server with this control plane under this prefix. */
export interface ServerConfig {
  readonly controlPlane: ControlPlane;
  /** Empty for the root. */
  readonly prefix: string;
}

/** The prefix of a control plane, and whether the routes outside /api/v1 are mounted. */
export type Mount = readonly [prefix: string, rootRoutes: boolean];

/** At the root and under a prefix, both with and without the routes outside /api/v1. */
export const MOUNTS: readonly Mount[] = [
  ["", true],
  ["", false],
  ["/governance", true],
  ["/governance", false],
];

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
  /** How to mount the control plane, one after the other; in all `MOUNTS` when absent. */
  readonly mounts?: readonly Mount[];
  /** The framework itself answers 400 to paths with broken percent-escapes. */
  readonly frameworkRefusesBrokenEscapes?: boolean;
}
