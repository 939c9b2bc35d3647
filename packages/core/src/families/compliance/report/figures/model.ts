import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { tenants } from "../../../platform/index.js";
import { allFrameworks } from "../../frameworks/read/find.js";
import { type ControlPosture, computePosture, gapsOf } from "../../posture/compute/compute.js";
import { readInputs } from "../../posture/compute/read-inputs.js";
import { frameworkView, gapView } from "../../posture/operations.js";
import { DISCLAIMER } from "../../posture/schema.js";
import { TREND_DAYS, trendTo } from "../../posture/snapshots/snapshots.js";
import type { Report, ReportControl } from "../schema.js";

/** All data of a report as of now, with the inputs of its numbers. */
export async function reportNow(ctx: ReadContext): Promise<Report> {
  const posture = computePosture(await readInputs(ctx, { at: ctx.now }), ctx.now);
  const trend = await trendTo(ctx, posture, TREND_DAYS);
  const described = new Map((await allFrameworks(ctx)).map((framework) => [framework.key, framework]));
  return {
    format: "reeve-compliance-report/1",
    organization: (await ctx.getOrThrow(tenants, ctx.principal.tenantId)).name,
    asOf: posture.asOf,
    inputsDigest: posture.inputsDigest,
    disclaimer: DISCLAIMER,
    overall: { ...posture.overall, trend: [...trend.overall] },
    frameworks: posture.frameworks.map((each) => {
      const about = described.get(each.framework.key);
      return {
        ...frameworkView(each, trend),
        publisher: about?.publisher ?? "",
        source: about?.source ?? "",
        sourceUrl: about?.sourceUrl ?? null,
        checkedOn: about?.checkedOn ?? null,
        terms: about?.terms ?? "",
        gaps: gapsOf(each.controls).map(gapView),
        controls: each.controls.map(controlView),
      };
    }),
    inputs: posture.inputs as Report["inputs"],
  };
}

function controlView({ control, ...told }: ControlPosture): ReportControl {
  const { id, parent, title, kind, weight, appliesFrom, roles, sourceRef } = control;
  return {
    controlId: id,
    parent,
    title,
    kind,
    weight,
    appliesFrom,
    roles,
    sourceRef,
    ...told,
  } as ReportControl;
}
