export const POOLERS = ["none", "transaction"] as const;

export type StoreSetting =
  | { readonly kind: "sqlite"; readonly file: string }
  | ({ readonly kind: "postgres"; readonly url: string; readonly consoleUrl?: string } & PostgresSetting);

/** How PostgreSQL is reached, beyond the address of requests. */
export interface PostgresSetting {
  /** Login that makes and owns the tables; that of requests when absent. */
  readonly migrationUrl?: string;
  readonly pooler?: (typeof POOLERS)[number];
  /** Address past the pooler, for notices. */
  readonly directUrl?: string;
  readonly poolSize?: number;
}

/** Where metrics are shown: a path of the server itself, or of a port of their own. */
export interface MetricsSetting {
  readonly path: string;
  /** The host of the server when it names none. */
  readonly listen?: { readonly host: string | undefined; readonly port: number };
}
