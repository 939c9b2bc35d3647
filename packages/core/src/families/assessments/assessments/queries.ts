import type { Collection } from "../../../kernel/records/collection.js";
import type { StoredRecord } from "../../../store/collection.js";
import type { Row } from "../../../store/row.js";
import type { Reader } from "../../../store/store.js";
import type { Asset } from "../../estate/index.js";
import { QUESTIONNAIRES, type QuestionnaireKey } from "./questionnaires/questionnaire.js";
import { type Assessment, assessments, subjectOf } from "./schema.js";
import { type Standing, standingOf } from "./standing/standing.js";

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

/** How assets stand with their assessments, by asset id. A query is about fifty assets, and about more after short answers. */
export async function standingsOf(source: Source, list: readonly Asset[]): Promise<ReadonlyMap<string, Standings>> {
  const subjects = list.flatMap(({ id: assetId }) =>
    QUESTIONNAIRES.map((questionnaire) => subjectOf({ assetId, questionnaire })),
  );
  const known = new Map<string, readonly Pick<Assessment, "status" | "assessed">[]>();
  for (let [at, size] = [0, SUBJECTS]; at < subjects.length; ) {
    const values = subjects.slice(at, at + size);
    const found = await source.db.findTopPerKey(assessments, { field: "subject", values, size: NEWEST });
    let characters = 0;
    for (const [subject, rows] of found) {
      for (const { text } of rows) characters += text.length;
      const decided = rows.map((row) => source.derived(assessments, row));
      known.set(
        subject,
        decided.map(({ status, assessed }) => ({ status, assessed })),
      );
    }
    at += size;
    const fitting = Math.floor((CHARACTERS * values.length) / Math.max(1, characters));
    size = Math.max(SUBJECTS, Math.min(MOST_SUBJECTS, fitting));
  }
  return new Map(
    list.map((asset) => {
      const of = (questionnaire: QuestionnaireKey) =>
        standingOf(asset, known.get(subjectOf({ assetId: asset.id, questionnaire })) ?? []);
      return [asset.id, { impact: of("impact"), risk: of("risk") }];
    }),
  );
}
