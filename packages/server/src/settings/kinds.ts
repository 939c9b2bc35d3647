export const POOLERS = ["none", "transaction"] as const;

export type StoreSetting =
  | {
      readonly kind: "sqlite";
      readonly file: string;
      /** The file that it is a passing copy of, which messages name. */
      readonly copyOf?: string;
    }
  | ({ readonly kind: "postgres"; readonly url: string; readonly consoleUrl?: string } & PostgresSetting);

/** Settings of PostgreSQL beside the URL of requests. */
export interface PostgresSetting {
  /** Login that creates and owns the tables; that of requests when absent. */
  readonly migrationUrl?: string;
  readonly pooler?: (typeof POOLERS)[number];
  /** The schema of the tables; `reeve` when absent. */
  readonly schema?: string;
  /** URL of the server itself behind a pooler, for notices. */
  readonly directUrl?: string;
  readonly poolSize?: number;
  /** A read replica for lists and exports. */
  readonly replicaUrl?: string;
  /** How old what the replica answers may be, in ms. */
  readonly maxReplicaStalenessMs?: number;
}

/** Where metrics are served: a path of the server, or of a separate address. */
export interface MetricsSetting {
  readonly path: string;
  /** `undefined` is the host of the server. */
  readonly listen?: { readonly host: string | undefined; readonly port: number };
}

/**
 * The value of a setting, or `undefined` when it is not set or a fault was recorded. `shown` values appear in the
 * fault.
 */
export type Read = <T>(
  name: string,
  takes: string,
  parse: (text: string) => T | undefined,
  shown?: boolean,
) => T | undefined;
export type Choice = <const T extends string>(name: string, choices: readonly T[]) => T | undefined;
