import type { Dialer } from "../connect/connection.js";
import type { Found } from "./diagnosis.js";
import { rowOf, withClient } from "./with-client.js";

const RIGHTS = `select session_user::text as "user", r.rolsuper or r.rolbypassrls as "readsAll",
  coalesce((select pg_has_role(n.nspowner, 'usage') from pg_namespace n where n.nspname = $1), true) as "ownsSchema"
  from pg_roles r where r.rolname = session_user`;

/** Whether the login may change the tables, and dump them past row-level security. */
export function migrationUrlFinding(dialer: Dialer, schema: string): Promise<Found> {
  return withClient(dialer, async (client) => {
    const { user, readsAll, ownsSchema } = await rowOf<{ user: string; readsAll: boolean; ownsSchema: boolean }>(
      client,
      RIGHTS,
      [schema],
    );
    if (!ownsSchema)
      return { outcome: "fault", detail: `"${user}" does not own the schema "${schema}"; name the login that does` };
    if (!readsAll)
      return {
        outcome: "warning",
        detail: `"${user}" owns the tables, and backups fail: ALTER ROLE "${user}" BYPASSRLS`,
      };
    return { outcome: "ok", detail: `"${user}" owns the tables and may back them up` };
  });
}
