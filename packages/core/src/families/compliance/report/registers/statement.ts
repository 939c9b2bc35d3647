import type { ReadContext } from "#kernel/operation/read-context.js";
import { countedFrameworks } from "../../frameworks/read/find.js";
import { recordsOfAll } from "../../posture/compute/read-inputs.js";
import type { Report } from "../schema.js";

/**
 * The statement of applicability: each control that an organisation takes up or leaves out, with the rationale of its
 * assessment. Only an assessment that a four-eyes approver has judged `not_applicable` leaves one out.
 */
export async function statementOf(ctx: ReadContext): Promise<Report["statement"]> {
  const assessments = await recordsOfAll(ctx, ctx.now);
  const held = new Map(assessments.map((record) => [`${record.framework}:${record.controlId}`, record]));
  return (await countedFrameworks(ctx)).flatMap(({ key, controls }) =>
    controls
      .filter(({ selectable }) => selectable)
      .map(({ id }) => {
        const record = held.get(`${key}:${id}`);
        return {
          framework: key,
          controlId: id,
          applicable: record?.status !== "not_applicable",
          justification: record?.rationale ?? "",
        };
      }),
  );
}
