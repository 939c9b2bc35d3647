import type { Diagnosis, PostgresStoreOptions } from "@reeve/store-postgres";
import { reasonOf } from "./control-plane.js";
import { type Found, fault, ok, warning } from "./finding.js";
import { toolVersion } from "./postgres-tools.js";
import type { PostgresStoreSetting } from "./store.js";

type Check = readonly [name: string, look: () => Promise<Found>];

const NAMES: readonly (readonly [option: Diagnosis["option"], check: string, setting: string])[] = [
  ["poolSize", "connections", "REEVE_POOL_SIZE"],
  ["directUrl", "direct URL", "REEVE_DIRECT_URL"],
  ["replicaUrl", "replica", "REEVE_REPLICA_URL"],
  ["migrationUrl", "migrate URL", "REEVE_MIGRATE_URL"],
];

/** What the settings about PostgreSQL mean, tried on the servers that they name. */
export function postgresChecks({ kind, ...options }: PostgresStoreSetting): readonly Check[] {
  let found: Promise<readonly Diagnosis[]> | undefined;
  const diagnose = async () => (await import("@reeve/store-postgres")).diagnosePostgres(options);
  const about = async (option: Diagnosis["option"], setting: string): Promise<Found> => {
    found ??= diagnose();
    const diagnosis = (await found).find((each) => each.option === option);
    if (!diagnosis) return ok(`${setting} is not set`);
    const { outcome, detail } = diagnosis;
    return { outcome, detail: outcome === "ok" ? detail : `${setting}: ${detail}` };
  };
  return [
    ...NAMES.map(([option, check, setting]): Check => [check, () => about(option, setting)]),
    ["backup tools", () => backupTools(options)],
  ];
}

/** A program of an older version refuses to dump a newer server. A server may do without, so what is absent is no fault. */
async function backupTools(options: PostgresStoreOptions): Promise<Found> {
  const remedy = "backups from here fail; install the client programs of the server's version";
  try {
    const server = await (await import("@reeve/store-postgres")).majorVersion(options);
    const tool = await toolVersion("pg_dump").catch(() => undefined);
    if (tool === undefined) return warning(`pg_dump is not on the PATH, and ${remedy}`);
    const versions = `pg_dump ${tool} for a server of ${server}`;
    return tool >= server ? ok(versions) : warning(`${versions}: ${remedy}`);
  } catch (error) {
    return fault(reasonOf(error));
  }
}
