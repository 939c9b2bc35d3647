import { defineOperation } from "#kernel/operation/operation.js";
import { rehearse } from "#kernel/operation/rehearse.js";
import { prepareItems } from "#kernel/pipeline/batch/prepare.js";
import { doItems } from "#kernel/pipeline/batch/within-request.js";
import type { BatchOutcome } from "#kernel/pipeline/batch/work.js";
import { ImportAnswer, ImportBody, type Imported } from "./schema.js";
import { importWork } from "./write/work.js";

const ID = "aiAssets.import";

/** A bounded import over HTTP. In process, `importAssets` takes any number of items. */
export const importAssets = defineOperation({
  id: ID,
  method: "POST",
  path: "/api/v1/ai-assets/import",
  tag: "AI Registry",
  summary: "Import AI assets with their typed records",
  description:
    "An asset that is there already, by `assetType`, `provider`, `externalRef.id` and `environment`, is changed where the item differs and else left alone: sending the same again changes nothing. Items may name each other in any order. Each item fails by itself unless `atomic` is set. The states that an item names are those of a new asset. With `dryRun` nothing is stored, and the answer says what would be. With `baseline` findings that the first evaluation opens on new assets are marked, and rank below others.",
  access: { permission: "ai-asset:write", capability: "ai_registry" },
  extension: true,
  body: ImportBody,
  success: { status: 200, schema: ImportAnswer },
  errors: [
    "already_exists",
    "invalid_reference",
    "invalid_transition",
    "limit_exceeded",
    "missing_reason",
    "read_only_property",
    "self_appointment_forbidden",
    "transition_guard_failed",
  ],
  async prepare(ctx, { body: { items, atomic = false, dryRun = false, baseline = false } }) {
    const work = importWork(() => ctx, { dryRun, baseline });
    const given = items.map((input, index) => ({ index, input }));
    const prepared = await prepareItems(work, given);
    if (!dryRun) return { prepared };
    const { env, principal, request: facts } = ctx;
    return {
      outcomes: await rehearse(env, { principal, facts }, (inner) => doItems(inner, ID, work, prepared, atomic)),
    };
  },
  async handler(ctx, { body: { atomic = false, baseline = false } }, { prepared, outcomes }) {
    if (outcomes) return answerOf(outcomes);
    const work = importWork(() => ctx, { baseline });
    return answerOf(await doItems(ctx, ID, work, prepared, atomic));
  },
});

function answerOf(outcomes: readonly BatchOutcome<Imported>[]): ImportAnswer {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const items = outcomes.map(({ index, value, error }): ImportAnswer["items"][number] => {
    counts[value?.outcome ?? "failed"] += 1;
    if (value) return { index, ...value, problem: null };
    const { code, message: detail, errors } = error;
    return { index, outcome: "failed", id: null, recordId: null, problem: { code, detail, errors: [...errors] } };
  });
  return { ...counts, items };
}
