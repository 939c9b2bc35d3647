import { realSystem } from "@reeve/testkit/programs";

export const pgbouncer = realSystem({
  name: "PgBouncer in transaction mode",
  kind: "Databases",
  source: { debian: "pgbouncer", version: "1.18.0" },
  tests: ["packages/store-postgres/test/pgbouncer.test.ts"],
  tried: [
    "two tenants at once, on fewer connections than requests, see their own alone",
    "a control plane serves requests, and tells 503 and never 500 while the pooler is gone",
    "changes of another process are heard past it, and it is told when the way leads to it",
  ],
  mustSet: ["Of Reeve: `directUrl`, a connection past the pooler for notices between processes."],
  unknown: [],
});
