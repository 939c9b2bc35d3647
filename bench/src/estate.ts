import { collections } from "@reeve/core/reference";
import type { Store, StoredCollection, StoredRecord } from "@reeve/core/store";
import type { Progress } from "./progress.js";
import type { Asset } from "./reference/asset.js";
import { PLAIN_TYPES, sampleAsset } from "./samples.js";
import { openControlPlane } from "./subject.js";

export const ISSUER = "http://reeve.bench.example";
/** Used for throw-away databases only. */
export const MASTER_KEY = Buffer.from("a master key for benchmarks only").toString("base64");

/** The user of the benchmark. */
export const PERSON = { username: "bench@reeve.example", password: "a long passphrase for benchmarks" };
const BATCH = 1_000;
const READS = 400;
const MOVES = 4_000;

/** A tenant with assets, and those that the benchmark uses. */
export interface Estate {
  readonly tenantId: string;
  readonly userId: string;
  readonly size: number;
  /** Ids to read, spread over all assets. */
  readonly reads: readonly string[];
  /** Ids of registered assets for lifecycle changes. */
  readonly moves: readonly string[];
}

/** The collection of assets, typed for stores. */
export const assets = collections.find(({ name }) => name === "ai_assets") as StoredCollection<Asset & StoredRecord>;

/** Creates a tenant with `size` assets in an empty database. */
export async function seedEstate(store: Store, size: number, progress: Progress): Promise<Estate> {
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  return { tenantId, userId, size, ...(await seedAssets(store, { tenantId, userId }, size, progress)) };
}

/** Adds `size` assets to a tenant. */
export async function seedAssets(
  store: Store,
  { tenantId, userId }: Pick<Estate, "tenantId" | "userId">,
  size: number,
  progress: Progress,
): Promise<Pick<Estate, "reads" | "moves">> {
  const tenant = store.forTenant(tenantId);
  const newest = Date.now();
  const [reads, moves]: [string[], string[]] = [[], []];
  // Some are read, others moved. Moved ones have plain types, because other types also change their typed record.
  const every = (wanted: number) => 2 * Math.max(1, Math.floor(size / wanted / 2));
  const movable = Math.max(1, Math.floor(size / MOVES / 3));
  for (let start = 0; start < size; start += BATCH) {
    const count = Math.min(BATCH, size - start);
    const records = Array.from({ length: count }, (_, at) => sampleAsset(start + at, size, userId, newest));
    await tenant.insertMany(assets, records);
    for (const [at, { id, assetType }] of records.entries()) {
      if ((start + at) % every(READS) === 0) reads.push(id);
      else if (PLAIN_TYPES.includes(assetType) && (start + at) % movable === 0) moves.push(id);
    }
    progress.at(`seeding ${(start + count).toLocaleString("en")} of ${size.toLocaleString("en")} assets`);
  }
  return { reads, moves };
}

/** Signs in as the tenant's owner. */
export async function signIn(store: Store): Promise<string> {
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { token } = await controlPlane.call("auth.signIn", undefined, { body: PERSON });
  return token;
}
