import type { Asset } from "#families/estate/index.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { type Row, type RowVersion, versionOf } from "#store/row.js";
import type { Reader } from "#store/store.js";
import { type Standing, standingOf } from "./assessment-standing.js";
import { QUESTIONNAIRES, type QuestionnaireKey } from "./questionnaires/questionnaire.js";
import { type Assessment, assessments, subjectOf } from "./schema.js";

/** Records as of one moment. */
interface Source {
  readonly db: Pick<Reader, "findTopPerKey">;
  derived<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): R;
}

/**
 * How many assessments of one subject are read: one that is open, the one in force, and for back-tests those before.
 */
const NEWEST = 4;
/** The subjects of the first query, and the most of a later one. Answers can be long, and all but the standing is dropped. */
const SUBJECTS = 100;
const MOST_SUBJECTS = 300;
/** The characters of assessments that a query may find, if they are as long as those that the query before has found. */
const CHARACTERS = 1_000_000;

export type Standings = Readonly<Record<QuestionnaireKey, Standing>>;
export const NO_STANDINGS: Standings = { impact: "none", risk: "none" };

/** The newest assessments of an asset. */
export interface Assessed {
  /** The rows that they were read from. Their texts are not kept. */
  readonly rows: readonly RowVersion[];
  /** How the asset, as it is given, stands with them. */
  standings(asset: Asset): Standings;
}

type Kept = Pick<Assessment, "status" | "assessed"> & { readonly row: RowVersion };

/** How assets stand with their assessments, by asset id. */
export async function standingsOf(source: Source, list: readonly Asset[]): Promise<ReadonlyMap<string, Standings>> {
  const assessed = await assessmentsOf(
    source,
    list.map(({ id }) => id),
  );
  return new Map(list.map((asset) => [asset.id, assessed.get(asset.id)?.standings(asset) ?? NO_STANDINGS]));
}

/** The newest assessments by asset id. A query is about fifty assets, and about more after short answers. */
export async function assessmentsOf(source: Source, ids: readonly string[]): Promise<ReadonlyMap<string, Assessed>> {
  const subjects = ids.flatMap((assetId) =>
    QUESTIONNAIRES.map((questionnaire) => subjectOf({ assetId, questionnaire })),
  );
  const known = new Map<string, readonly Kept[]>();
  for (let [at, size] = [0, SUBJECTS]; at < subjects.length; ) {
    const values = subjects.slice(at, at + size);
    const found = await source.db.findTopPerKey(assessments, { field: "subject", values, size: NEWEST });
    let characters = 0;
    for (const [subject, rows] of found) {
      for (const { text } of rows) characters += text.length;
      if (rows.length === 0) continue;
      const kept = rows.map((row) => {
        const { status, assessed } = source.derived(assessments, row);
        return { status, assessed, row: versionOf(row) };
      });
      known.set(subject, kept);
    }
    at += size;
    const fitting = Math.floor((CHARACTERS * values.length) / Math.max(1, characters));
    size = Math.max(SUBJECTS, Math.min(MOST_SUBJECTS, fitting));
  }
  return new Map(
    ids.map((assetId) => {
      const of = (questionnaire: QuestionnaireKey) => known.get(subjectOf({ assetId, questionnaire })) ?? [];
      const [impact, risk] = [of("impact"), of("risk")];
      const rows = [...impact, ...risk].map(({ row }) => row);
      const standings = (asset: Asset) => ({ impact: standingOf(asset, impact), risk: standingOf(asset, risk) });
      return [assetId, { rows, standings }];
    }),
  );
}
