import { Dialer } from "../connect/connection.js";
import type { PostgresStoreOptions } from "../connect/options.js";
import type { Diagnosis, Found } from "./diagnosis.js";
import { directUrlFinding } from "./direct-url.js";
import { migrationUrlFinding } from "./migration-url.js";
import { poolFinding } from "./pool-size.js";
import { replicaFinding } from "./replica-url.js";
import { rowOf, withClient } from "./with-client.js";

const TIMEOUT_MS = 5_000;

/**
 * Tries what the options of a store mean, each by connections of its own: whether `directUrl` passes on notices, `replicaUrl`
 * is a standby of this server and how old it is, `migrationUrl` may change and back up the tables, and the server has room
 * for the pool. It changes nothing, and says nothing of options that are absent.
 */
export async function diagnosePostgres(options: PostgresStoreOptions): Promise<readonly Diagnosis[]> {
  const { url, directUrl, migrationUrl, replicaUrl, pooler = "none", poolSize = 10, schema = "reeve" } = options;
  if (url === undefined) return [];
  const dialer = (source: string) => new Dialer(source, TIMEOUT_MS);
  const checks: [Diagnosis["option"], () => Promise<Found>][] = [];
  if (pooler === "none") checks.push(["poolSize", () => poolFinding(dialer(url), poolSize)]);
  if (directUrl !== undefined) checks.push(["directUrl", () => directUrlFinding(dialer(url), dialer(directUrl))]);
  if (replicaUrl !== undefined)
    checks.push(["replicaUrl", () => replicaFinding(dialer(directUrl ?? url), dialer(replicaUrl))]);
  if (migrationUrl !== undefined)
    checks.push(["migrationUrl", () => migrationUrlFinding(dialer(migrationUrl), schema)]);
  const found: Diagnosis[] = [];
  for (const [option, look] of checks) found.push({ option, ...(await look().catch(unreached)) });
  return found;
}

/** The major version of the server, such as 15. Rejects with a `StoreError` where it cannot be reached. */
export async function majorVersion({ migrationUrl, url }: PostgresStoreOptions): Promise<number> {
  const source = migrationUrl ?? url;
  if (source === undefined) throw new TypeError("url: a connection URL is needed");
  const { number } = await withClient(new Dialer(source, TIMEOUT_MS), (client) =>
    rowOf<{ number: number }>(client, "select current_setting('server_version_num')::int as number"),
  );
  return Math.floor(number / 10_000);
}

function unreached(error: unknown): Found {
  const { message, cause } = error as Error;
  return { outcome: "fault", detail: cause instanceof Error ? `${message}: ${cause.message}` : message };
}
