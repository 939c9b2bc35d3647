import { inChunks } from "../../../kernel/async/in-chunks.js";
import type { Collection } from "../../../kernel/records/collection.js";
import type { StoredRecord } from "../../../store/collection.js";
import type { Row } from "../../../store/row.js";
import type { Reader } from "../../../store/store.js";
import type { Asset } from "../../estate/index.js";
import { QUESTIONNAIRES, type QuestionnaireKey } from "./questionnaires/questionnaire.js";
import { assessments, subjectOf } from "./schema.js";
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
/** The most subjects of one query. Answers can be long, and all but the standing is dropped. */
const SUBJECTS = 100;

export type Standings = Readonly<Record<QuestionnaireKey, Standing>>;
export const NO_STANDINGS: Standings = { impact: "none", risk: "none" };

/** How assets stand with their assessments, by asset id, with one query per fifty assets. */
export async function standingsOf(source: Source, list: readonly Asset[]): Promise<ReadonlyMap<string, Standings>> {
  const subjects = list.flatMap(({ id: assetId }) =>
    QUESTIONNAIRES.map((questionnaire) => subjectOf({ assetId, questionnaire })),
  );
  const ask = async (values: readonly string[]) => {
    const found = await source.db.findTopPerKey(assessments, { field: "subject", values, size: NEWEST });
    return [...found].map(([subject, rows]) => {
      const decided = rows.map((row) => source.derived(assessments, row));
      return [subject, decided.map(({ status, assessed }) => ({ status, assessed }))] as const;
    });
  };
  const known = new Map(await inChunks(subjects, ask, SUBJECTS));
  return new Map(
    list.map((asset) => {
      const of = (questionnaire: QuestionnaireKey) =>
        standingOf(asset, known.get(subjectOf({ assetId: asset.id, questionnaire })) ?? []);
      return [asset.id, { impact: of("impact"), risk: of("risk") }];
    }),
  );
}
