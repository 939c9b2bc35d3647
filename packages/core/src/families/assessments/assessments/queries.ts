import { inChunks } from "../../../kernel/async/in-chunks.js";
import type { Collection } from "../../../kernel/records/collection.js";
import type { StoredRecord } from "../../../store/collection.js";
import type { Row } from "../../../store/row.js";
import type { Reader } from "../../../store/store.js";
import type { Asset } from "../../estate/index.js";
import { QUESTIONNAIRES, type QuestionnaireKey } from "./questionnaires/questionnaire.js";
import { assessments } from "./schema.js";
import { type Standing, standingOf } from "./standing/standing.js";

/** Records as of one moment. */
interface Source {
  readonly db: Pick<Reader, "findTopPerKey">;
  derived<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): R;
}

/** How many assessments of an asset are read. Older ones have been superseded. */
const NEWEST = 20;

export type Standings = Readonly<Record<QuestionnaireKey, Standing>>;
export const NO_STANDINGS: Standings = { impact: "none", risk: "none" };

/** How assets stand with their assessments, by asset id, with one query per thousand. */
export async function standingsOf(source: Source, list: readonly Asset[]): Promise<ReadonlyMap<string, Standings>> {
  const ids = list.map(({ id }) => id);
  const ask = async (values: readonly string[]) => [
    ...(await source.db.findTopPerKey(assessments, { field: "assetId", values, size: NEWEST })),
  ];
  const found = new Map(await inChunks(ids, ask));
  return new Map(
    list.map((asset) => {
      const own = (found.get(asset.id) ?? []).map((row) => source.derived(assessments, row));
      const of = (key: QuestionnaireKey) =>
        standingOf(
          asset,
          own.filter(({ questionnaire }) => questionnaire === key),
        );
      return [asset.id, Object.fromEntries(QUESTIONNAIRES.map((key) => [key, of(key)])) as Standings];
    }),
  );
}
