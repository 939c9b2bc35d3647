import { type Store, StoreError } from "@reeve/core/store";
import { type Answer, createPlane, createTenant, event, type Send, thing, things } from "@reeve/testkit";
import { connect, freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

/** What a caller was told about a write. */
export type Reported = "done" | "failed" | "unknown" | { readonly broken: string };

/** A write of one kind, which may be sent again, and for which another connection can look. */
export interface WriteUnderFire {
  readonly name: string;
  write(n: number): Promise<Reported>;
  /** How often the write is stored. */
  stored(n: number): Promise<number>;
}

const TENANT = "t";

/** What must not be: a write that was told failed is stored, one that was told done is not, or one is stored twice. */
export function lieOf(reported: Reported, stored: number): string | undefined {
  if (typeof reported === "object") return `neither done nor refused: ${reported.broken}`;
  if (reported === "done" && stored !== 1) return `told done, and stored ${stored} times`;
  if (reported === "failed" && stored !== 0) return `told failed, and stored ${stored} times`;
  return stored > 1 ? `stored ${stored} times` : undefined;
}

/** A store and a control plane behind a way that fails as told, and the same ones beside it. */
export async function underFire() {
  const { store, url } = await freshStore();
  const admin = await connect(url);
  const way = await openWay(url);
  const limits = { poolSize: 2, connectionTimeoutMs: 4_000, answerTimeoutMs: 500, directUrl: url };
  const through = openStore(way.url, limits);
  const plane = createPlane({ store: through });
  await plane.controlPlane.ready();
  const tenant = await createTenant(plane, "kills");
  const { token } = tenant.owner;
  const beside = createPlane({ store, clock: plane.clock, ids: plane.ids }).send;
  const asset = await tenant.newAsset();
  const writes = [
    overStore("one statement", through, store, atOnce, 0),
    overStore("a held transaction", through, store, held, 1_000_000),
    creates(plane.send, beside, token),
    changes(plane.send, beside, token, `/api/v1/ai-assets/${asset}`),
  ];
  return { way, store, writes, admin };
}

/** A transaction of one statement, which commits by itself. */
const atOnce = (store: Store, n: number) =>
  store.transaction(TENANT, async (tx) => {
    await tx.insert(things, thing(n));
    await tx.append(event(n));
  });

/** A transaction of several round trips, which ends with `COMMIT`. */
const held = (store: Store, n: number) =>
  store.transaction(TENANT, async (tx) => {
    await tx.count(things);
    await tx.insert(things, thing(n));
    await tx.count(things);
    await tx.append(event(n));
  });

function overStore(
  name: string,
  through: Store,
  beside: Store,
  work: (store: Store, n: number) => Promise<unknown>,
  first: number,
): WriteUnderFire {
  return {
    name,
    write: (n) => work(through, first + n).then(() => "done", reportedBy),
    stored: async (n) => (await beside.forTenant(TENANT).getMany(things, [thing(first + n).id])).length,
  };
}

function reportedBy(error: unknown): Reported {
  if (!StoreError.is(error)) return { broken: String(error) };
  if (error.code === "outcome_unknown") return "unknown";
  // Only a write that is sent again finds itself.
  if (error.code === "duplicate") return "done";
  return "failed";
}

/** Creates of assets, each with its own key. */
export function creates(through: Send, beside: Send, token: string): WriteUnderFire {
  const nameOf = (n: number) => `kill-${n}-asset`;
  return {
    name: "a create over HTTP",
    write: (n) => {
      const body = { name: nameOf(n), assetType: "application" };
      return reported(
        through("POST", "/api/v1/ai-assets", { token, body, headers: { "idempotency-key": `create-${n}` } }),
      );
    },
    stored: async (n) => {
      const found = await beside("GET", `/api/v1/ai-assets?search=${nameOf(n)}&size=100`, { token });
      return found.json.items.filter(({ name }: { name: string }) => name === nameOf(n)).length;
    },
  };
}

function changes(through: Send, beside: Send, token: string, asset: string): WriteUnderFire {
  const current = async () => (await beside("GET", asset, { token })).json;
  const before = new Map<number, number>();
  return {
    name: "a change over HTTP",
    write: async (n) => {
      if (!before.has(n)) before.set(n, (await current()).version);
      const headers = { "idempotency-key": `change-${n}` };
      return reported(through("PATCH", `${asset}/metadata`, { token, body: { metadata: { last: n } }, headers }));
    },
    stored: async (n) => {
      const { metadata, version } = await current();
      return metadata.last === n ? version - (before.get(n) ?? 0) : 0;
    },
  };
}

function reported(answer: Promise<Answer>): Promise<Reported> {
  return answer.then(answered, (error) => ({ broken: String(error) }));
}

function answered({ status, json, text }: Answer): Reported {
  if (status < 300) return "done";
  if (status !== 503) return { broken: `${status} ${text}` };
  return json.code === "outcome_unknown" ? "unknown" : "failed";
}
