import { type Assessed, assessmentsOf, NO_STANDINGS, type Standings } from "#families/assessments/index.js";
import type { Asset } from "#families/estate/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import type { RowVersion } from "#store/row.js";
import { PostureAssetObject, SPEC_OBJECTS } from "../../policies/compile/vocabulary.js";
import { type AssetValues, assetValues } from "./asset-values.js";
import type { ToolValues } from "./spec-values.js";
import { type Spec, specsOf } from "./specs.js";
import { assetsOf, type Source } from "./surroundings.js";

/** Raise when the same records give other values than before, so that the next run looks at every asset. */
export const SNAPSHOT_FORMAT = 1;

/** The values of an asset that posture rules read. */
type PostureAssetValues = AssetValues & {
  readonly impactAssessment: Standings["impact"];
  readonly riskAssessment: Standings["risk"];
};

/** The values that posture rules read of one asset at one moment, made when they are asked for. */
export interface Snapshot {
  readonly asset: PostureAssetValues;
  /** Absent for types without a typed record. */
  readonly spec: object | undefined;
  /** SHA-256 of all its values except volatile ones, in canonical form. */
  readonly digest: string;
  /** The rows that it was read from, beside that of the asset. */
  readonly rows: readonly RowVersion[];
}

/** An asset to take a snapshot of. `asset` is read once values are asked for. */
export interface Subject extends Pick<Asset, "id" | "assetType"> {
  readonly asset: Asset;
}

/** Snapshots of these assets by id, without missing ones and those of other tenants. Queries are per chunk, none per asset. */
export async function snapshotsOf(source: Source, assetIds: readonly string[]): Promise<Map<string, Snapshot>> {
  return snapshotsOfAssets(
    source,
    [...(await assetsOf(source, assetIds)).values()].map(({ value }) => value),
  );
}

/** As `snapshotsOf`, for assets that were read already. */
export function snapshotsOfAssets(source: Source, list: readonly Asset[]): Promise<Map<string, Snapshot>> {
  return snapshotsOfSubjects(
    source,
    list.map((asset) => ({ id: asset.id, assetType: asset.assetType, asset })),
  );
}

/** As `snapshotsOf`, for assets whose types are known. `assessed` are their assessments, where these are read already. */
export async function snapshotsOfSubjects(
  source: Source,
  list: readonly Subject[],
  assessed: Promise<ReadonlyMap<string, Assessed>> = assessmentsOf(source, idsOf(list)),
): Promise<Map<string, Snapshot>> {
  const [assessments, specs] = await Promise.all([assessed, specsOf(source, list)]);
  return new Map(
    list.map((subject) => {
      const { id } = subject;
      return [id, new TakenSnapshot(source.now, subject, assessments.get(id), specs.get(id))];
    }),
  );
}

const idsOf = (list: readonly Subject[]) => list.map(({ id }) => id);

class TakenSnapshot implements Snapshot {
  readonly rows: readonly RowVersion[];
  #asset: PostureAssetValues | undefined;
  #spec: object | undefined;
  #digest: string | undefined;

  constructor(
    private readonly now: string,
    private readonly subject: Subject,
    private readonly assessed: Assessed | undefined,
    private readonly taken: Spec | undefined,
  ) {
    this.rows = [...(assessed?.rows ?? []), ...(taken?.rows ?? [])];
  }

  get asset(): PostureAssetValues {
    if (this.#asset === undefined) {
      const { asset, assetType } = this.subject;
      const effects = assetType === "tool" ? (this.spec as ToolValues | undefined)?.effects : undefined;
      const { impact, risk } = this.assessed?.standings(asset) ?? NO_STANDINGS;
      this.#asset = { ...assetValues(asset, this.now, effects), impactAssessment: impact, riskAssessment: risk };
    }
    return this.#asset;
  }

  get spec(): object | undefined {
    this.#spec ??= this.taken?.valuesOf(this.subject);
    return this.#spec;
  }

  get digest(): string {
    this.#digest ??= digestOf(this.asset, this.spec);
    return this.#digest;
  }
}

function digestOf(asset: PostureAssetValues, spec: object | undefined): string {
  const ofSpec = spec ? `,"spec":${lastingText(SPEC_OBJECTS[asset.assetType], spec)}` : "";
  return sha256(`{"asset":${lastingText(PostureAssetObject, asset)}${ofSpec}}`);
}

type Declared = { readonly fields: Readonly<Record<string, object>> } | undefined;

/** Names of lasting values in canonical order, by the declaration of the object that has them. */
const lastingNames = new Map<Declared, readonly string[]>();

function lastingNamesOf(declared: Declared): readonly string[] {
  const known = lastingNames.get(declared);
  if (known) return known;
  const names = Object.entries(declared?.fields ?? {}).flatMap(([name, field]) => ("volatile" in field ? [] : name));
  lastingNames.set(declared, names.sort());
  return names;
}

/** The canonical text of an object without volatile values, written value by value, so that it need not be sorted. */
function lastingText(declared: Declared, values: object): string {
  const texts: string[] = [];
  for (const name of lastingNamesOf(declared)) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) texts.push(`"${name}":${canonical(value)}`);
  }
  return `{${texts.join(",")}}`;
}
