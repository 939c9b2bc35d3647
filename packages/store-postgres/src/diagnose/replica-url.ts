import type { Dialer } from "../connect/connection.js";
import type { Found } from "./diagnosis.js";
import { rowOf, withClient } from "./with-client.js";

const SYSTEM = "(select system_identifier::text from pg_control_system()) as system";
const STANDBY = `select pg_is_in_recovery() as standby, ${SYSTEM},
  case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) end::float8 as behind`;

/** Whether `replicaUrl` is a standby of this server, and how far it lags. A lag of a standby without new commits counts as none. */
export async function replicaFinding(server: Dialer, replica: Dialer): Promise<Found> {
  const own = await withClient(server, (client) => rowOf<{ system: string }>(client, `select ${SYSTEM}`));
  const its = await withClient(replica, (client) =>
    rowOf<{ standby: boolean; system: string; behind: number | null }>(client, STANDBY),
  );
  if (!its.standby) return { outcome: "fault", detail: "it is no standby; name a server that follows this one" };
  if (its.system !== own.system)
    return { outcome: "fault", detail: "it is a standby of another server; name one that follows this one" };
  if (its.behind === null) return { outcome: "warning", detail: "it has replayed no commit yet" };
  const detail = `it follows this server and is ${its.behind.toFixed(1)} s behind`;
  return its.behind < LONG_S
    ? { outcome: "ok", detail }
    : { outcome: "warning", detail: `${detail}; the server is asked in its place` };
}

/** Reads go to the server where a replica is further behind, by default. */
const LONG_S = 5;
