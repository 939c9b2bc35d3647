import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { type Store, sha256 } from "@reeve/core/store";
import { createPostgresStore } from "@reeve/store-postgres";
import { createDatabase, startPostgres } from "@reeve/testkit/postgres";
import pg from "pg";
import { Progress } from "./progress.js";

const PARTITIONS_USAGE = `npm run bench -- partitions [options]
  --tenants 100   tenants with events
  --months 36     months of events, and partitions by month
  --events 60     events of a tenant in a month
  --rounds 9      rounds of each measurement`;

const COLUMNS = "tenant_id, seq, id, time, attributes, data, prev_hash, event_hash, record_hash, streams";
const DATA = "d".repeat(900);
const LAYOUTS = ["plain", "by month", "by hash"] as const;
type Layout = (typeof LAYOUTS)[number];

interface Size {
  readonly tenants: number;
  readonly months: number;
  readonly events: number;
}

interface Subject {
  readonly layout: Layout;
  readonly store: Store;
  readonly admin: pg.Client;
}

/** Compares events in one table with events in partitions by month and by tenant. */
export async function benchPartitions(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenants: { type: "string", default: "100" },
      months: { type: "string", default: "36" },
      events: { type: "string", default: "60" },
      rounds: { type: "string", default: "9" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${PARTITIONS_USAGE}\n`);
  const size = { tenants: Number(values.tenants), months: Number(values.months), events: Number(values.events) };
  const server = await startPostgres();
  const progress = new Progress();
  const subjects: Subject[] = [];
  try {
    for (const layout of LAYOUTS) {
      progress.at(`fills events ${layout}`);
      subjects.push(await prepared(server.url(), layout, size));
    }
    await measure(subjects, size, Number(values.rounds));
    await drop(subjects, size);
  } finally {
    for (const { store, admin } of subjects) await Promise.allSettled([store.close(), admin.end()]);
    await server.stop();
  }
}

async function prepared(server: string, layout: Layout, size: Size): Promise<Subject> {
  const { url } = await createDatabase(server);
  const store = createPostgresStore({ url, poolSize: 16 });
  await store.migrate();
  const admin = new pg.Client({ connectionString: url, options: "-c search_path=reeve,public" });
  await admin.connect();
  for (const statement of layoutOf(layout, size.months)) await admin.query(statement);
  await admin.query(
    `insert into events (${COLUMNS})
    select 'ten_' || t, m * $3::int + e, 'evt_' || t || '_' || m || '_' || e, ${monthOf("m")} || '-15T00:00:00.000Z', '{}', $4, '', '', '', '["all"]'
    from generate_series(0, $2::int - 1) m, generate_series(1, $3::int) e, generate_series(1, $1::int) t`,
    [size.tenants, size.months, size.events, DATA],
  );
  await admin.query("insert into event_streams (tenant_id, stream, seq) select tenant_id, 'all', seq from events");
  await admin.query(
    "insert into chain_heads (tenant_id, seq, hash, prev_hash) select tenant_id, max(seq), '', '' from events group by 1",
  );
  await admin.query("vacuum analyze");
  return { layout, store, admin };
}

/** The month so many months after the first one, as SQL. */
const monthOf = (month: string) => `to_char(date '2023-01-01' + make_interval(months => ${month}), 'YYYY-MM')`;

/** Replaces the table of events by one in partitions, with its triggers, policy and grants. */
function layoutOf(layout: Layout, months: number): string[] {
  if (layout === "plain") return [];
  const isByMonth = layout === "by month";
  const more = isByMonth ? ", time" : "";
  const parts = isByMonth
    ? `for at in 0 .. ${months - 1} loop
        execute format('create table events_%s partition of events for values from (%L) to (%L)', at, ${monthOf("at")}, ${monthOf("at + 1")});
      end loop;
      create table events_rest partition of events default;`
    : `for at in 0 .. 15 loop
        execute format('create table events_%s partition of events for values with (modulus 16, remainder %s)', at, at);
      end loop;`;
  return [
    "alter table events rename to events_before",
    `create table events (like events_before including defaults, primary key (tenant_id, seq${more})) partition by ${isByMonth ? "range (time)" : "hash (tenant_id)"}`,
    `do $do$ begin ${parts} end $do$`,
    `create unique index on events (tenant_id, id${more})`,
    "alter table events enable row level security",
    "alter table events force row level security",
    "create policy tenant on events using (tenant_id = (select current_setting('reeve.tenant', true)))",
    "create trigger keep before update or delete on events for each row execute function keep_events()",
    "grant select, insert, update, delete on events to reeve_app",
    "drop table events_before cascade",
  ];
}

type Work = (store: Store, tenantId: string, n: number) => Promise<unknown>;

const drafted = (time: string) => {
  const id = `evt_${randomBytes(12).toString("hex")}`;
  const attributes = JSON.stringify({ id, datahash: sha256(DATA) });
  return { id, time, attributes, data: DATA, recordHash: sha256(attributes), streams: ["all"] };
};

/** What is measured: its calls in a round, how many at once, and one call. */
const WORKS = (
  size: Size,
  now: string,
): Readonly<Record<string, readonly [calls: number, atOnce: number, work: Work]>> => ({
  "append, one after the other": [200, 1, (store, tenantId) => store.forTenant(tenantId).append(drafted(now))],
  "append, 16 at once": [800, 16, (store, tenantId) => store.forTenant(tenantId).append(drafted(now))],
  "page of 25, newest first": [300, 1, (store, tenantId) => store.forTenant(tenantId).events({ size: 25 })],
  "page of a stream": [300, 1, (store, tenantId) => store.forTenant(tenantId).events({ stream: "all", size: 25 })],
  "one event by id": [
    300,
    1,
    (store, tenantId, n) => store.forTenant(tenantId).event(`evt_${tenantId.slice(4)}_${n % size.months}_1`),
  ],
  "500 events in order": [
    60,
    1,
    (store, tenantId, n) =>
      store.forTenant(tenantId).scanEvents({ after: (n * 37) % (size.events * size.months - 500), size: 500 }),
  ],
});

/** Rounds of the layouts take turns, so that what else the machine does meets all of them. */
async function measure(subjects: readonly Subject[], size: Size, rounds: number): Promise<void> {
  const last = new Date(Date.UTC(2023, size.months - 1, 20)).toISOString();
  for (const [name, [calls, atOnce, work]] of Object.entries(WORKS(size, last))) {
    const times = new Map<Layout, number[]>(LAYOUTS.map((layout) => [layout, []]));
    for (let round = 0; round <= rounds; round++)
      for (const { layout, store } of subjects) {
        const began = performance.now();
        let next = 0;
        const worker = async () => {
          for (let n = next++; n < calls; n = next++) await work(store, `ten_${(n % size.tenants) + 1}`, n);
        };
        await Promise.all(Array.from({ length: atOnce }, worker));
        // The first round warms up.
        if (round > 0) times.get(layout)?.push((performance.now() - began) / calls);
      }
    const middles = LAYOUTS.map(
      (layout) => (times.get(layout) as number[]).sort((a, b) => a - b)[rounds >> 1] as number,
    );
    const reported = middles.map(
      (ms, at) => `${LAYOUTS[at]} ${ms.toFixed(3)} ms (${(ms / (middles[0] as number)).toFixed(2)})`,
    );
    process.stdout.write(`${name}: ${reported.join(", ")}\n`);
  }
}

/** Gives up the first month of every tenant: through the store, and by dropping its partition. */
async function drop(subjects: readonly Subject[], { tenants, events }: Size): Promise<void> {
  for (const { layout, store, admin } of subjects) {
    const before = performance.now();
    for (let t = 1; t <= tenants; t++) await store.forTenant(`ten_${t}`).pruneEvents(events);
    const pruned = performance.now() - before;
    await admin.query("vacuum events");
    process.stdout.write(
      `one month of ${tenants} tenants, ${layout}: pruned in ${Math.round(pruned)} ms, vacuumed in ${Math.round(performance.now() - before - pruned)} ms\n`,
    );
    if (layout !== "by month") continue;
    const began = performance.now();
    await admin.query("drop table events_1");
    process.stdout.write(
      `a partition of one month: dropped in ${Math.round(performance.now() - began)} ms, its streams are left\n`,
    );
  }
}
