import type { Dialer } from "../connect/connection.js";
import type { Found } from "./diagnosis.js";
import { rowOf, withClient } from "./with-client.js";

/** A process opens one connection more than its pool, for notices. */
const BESIDE_THE_POOL = 1;

const LIMITS = `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
  (select rolconnlimit from pg_roles where rolname = session_user) as login,
  (select datconnlimit from pg_database where datname = current_database()) as database`;

/** Compares the connections of one process with those that the server, the database and the login allow. */
export function poolFinding(dialer: Dialer, poolSize: number): Promise<Found> {
  return withClient(dialer, async (client) => {
    const limits = await rowOf<{ most: number; login: number; database: number }>(client, LIMITS);
    const most = Math.min(...Object.values(limits).filter((limit) => limit >= 0));
    const wanted = poolSize + BESIDE_THE_POOL;
    const detail = `one process takes up to ${wanted} connections of ${most}`;
    if (wanted > most) return { outcome: "fault", detail: `${detail}; lower poolSize` };
    const processes = Math.floor(most / wanted);
    return { outcome: "ok", detail: `${detail}, so that ${processes} such processes fit` };
  });
}
