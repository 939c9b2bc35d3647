import { z } from "zod";
import { defineOperation } from "../../../kernel/operation/operation.js";
import { DEFAULT_SIZE, MAX_SIZE, pageQuery } from "../../../kernel/operation/page.js";
import { may, PATH, shared } from "../access.js";
import { type ControlPosture, computePosture, type FrameworkPosture } from "./compute/compute.js";
import { readInputs } from "./compute/read-inputs.js";
import { DISCLAIMER, PostureAnswer } from "./schema.js";
import { type Trend, trendTo } from "./snapshots/snapshots.js";

/** Days of the trend in a posture. A report shows all stored days. */
const SHOWN_DAYS = 90;

const { page, size } = pageQuery;

export const readPosture = defineOperation({
  ...shared,
  id: "aiCompliance.posture",
  method: "GET",
  path: `${PATH}/posture`,
  summary: "Show how the organisation stands towards each framework: score, coverage, gaps, trend",
  description:
    "From what rules have found and people have assessed, at this moment. Nothing evaluated is never a pass. `page` and `size` are of the frameworks.",
  access: may("read"),
  query: z.strictObject({ page, size }),
  success: { status: 200, schema: PostureAnswer },
  async handler(ctx, { query }) {
    const posture = computePosture(await readInputs(ctx), ctx.now);
    const trend = await trendTo(ctx, posture, SHOWN_DAYS);
    const { frameworks, asOf, inputsDigest, overall } = posture;
    const at = query.page ?? 0;
    const most = Math.min(query.size ?? DEFAULT_SIZE, MAX_SIZE);
    return {
      asOf,
      inputsDigest,
      disclaimer: DISCLAIMER,
      overall: { ...overall, trend: [...trend.overall] },
      items: frameworks.slice(at * most, (at + 1) * most).map((each) => frameworkView(each, trend)),
      page: at,
      size: most,
      totalItems: frameworks.length,
      totalPages: Math.ceil(frameworks.length / most),
    };
  },
});

/** A framework's posture as the API serves it. Its controls are in the report only. */
export function frameworkView({ framework, controls: _, topGaps, ...posture }: FrameworkPosture, trend: Trend) {
  const { key, name, edition, version } = framework;
  return {
    framework: key,
    name,
    edition,
    version,
    ...posture,
    topGaps: topGaps.map(gapView),
    trend: [...trend.of(key)],
  };
}

export function gapView({ control, state, reasons, rules }: ControlPosture) {
  const { id, title, weight, guidance } = control;
  return { controlId: id, title, state, reasons: [...reasons], weight, openFindings: rules.open, guidance };
}
