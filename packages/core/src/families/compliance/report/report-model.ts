import { tenants } from "#families/platform/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sha256 } from "#store/chain.js";
import type { Adoption } from "../adoptions/schema.js";
import { allAdoptions, allFrameworks } from "../frameworks/read/find.js";
import { computePosture, gapsOf } from "../posture/compute/compute.js";
import { digestOf } from "../posture/compute/inputs.js";
import { readInputs } from "../posture/compute/read-inputs.js";
import { controlView, frameworkView, gapView } from "../posture/operations.js";
import { TREND_DAYS, trendTo } from "../posture/posture-snapshots.js";
import { DISCLAIMER } from "../posture/schema.js";
import { readRegisters } from "./registers/read.js";
import { REPORT_FORMAT, type Report } from "./schema.js";

/** All data of a report as of now, with the inputs of its numbers and its digest. Equal states give equal reports. */
export async function reportNow(ctx: ReadContext, reportId: string | null): Promise<Report> {
  const content = JSON.parse(JSON.stringify(await contentOf(ctx, reportId))) as Omit<Report, "digest">;
  return { ...content, digest: sha256(canonical(content)) };
}

async function contentOf(ctx: ReadContext, reportId: string | null): Promise<Omit<Report, "digest">> {
  const posture = computePosture(await readInputs(ctx, { at: ctx.now }), ctx.now);
  const trend = await trendTo(ctx, posture, TREND_DAYS);
  const adopted = new Map((await allAdoptions(ctx)).map((each) => [each.id, each]));
  const described = new Map((await allFrameworks(ctx)).map((framework) => [framework.key, framework]));
  return {
    format: REPORT_FORMAT,
    reportId,
    preparedBy: ctx.principal.userId,
    organization: (await ctx.getOrThrow(tenants, ctx.principal.tenantId)).name,
    asOf: posture.asOf,
    inputsDigest: digestOf(posture.inputs),
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
        adoption: adoptionView(adopted.get(each.framework.key)),
        gaps: gapsOf(each.controls).map(gapView),
        controls: each.controls.map(controlView),
      };
    }),
    ...(await readRegisters(ctx)),
    inputs: { ...posture.inputs },
  };
}

const adoptionView = (adoption: Adoption | undefined) =>
  adoption ? { scope: adoption.scope, updatedAt: adoption.updatedAt, updatedBy: adoption.updatedBy } : null;
