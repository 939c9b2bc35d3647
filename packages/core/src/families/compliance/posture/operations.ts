import { type Asset, assets } from "#families/estate/index.js";
import { invalidProperty, notFound } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { DEFAULT_SIZE, MAX_SIZE, pageQuery } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sideOf } from "#kernel/operation/sides.js";
import { dayOf } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { may, PATH, shared } from "../access.js";
import { ByKey } from "../frameworks/by-key.js";
import { type ControlPosture, computePosture, type FrameworkPosture } from "./compute/compute.js";
import { digestOf } from "./compute/inputs.js";
import { assetsLabelled, MOST_ASSETS } from "./compute/read-assets.js";
import { readInputs } from "./compute/read-inputs.js";
import { type Trend, trendTo } from "./posture-snapshots.js";
import { DISCLAIMER, FrameworkPostureAnswer, PostureAnswer, type ControlPosture as Shown } from "./schema.js";

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
    "From what rules have found and people have assessed, at this moment. Nothing evaluated is never a pass. Once frameworks are adopted, only these count. `page` and `size` are of the frameworks.",
  access: may("read"),
  query: z.strictObject({
    page,
    size,
    asOf: z.iso.date().optional().meta({ description: "A later day, by whose dates today's state is judged." }),
    assetId: z
      .string()
      .max(64)
      .optional()
      .meta({ description: "Only this asset: its results and assessments. By id of the asset or of its record." }),
    label: z.string().min(1).max(701).optional().meta({
      description: "Only assets with this label, such as `use-case=claims`; 200 at most, without retired ones.",
    }),
  }),
  success: { status: 200, schema: PostureAnswer },
  errors: ["not_found"],
  async handler(ctx, { query }) {
    const at = momentOf(ctx, query.asOf);
    const only = await chosen(ctx, query);
    const posture = computePosture(await readInputs(ctx, { at, only }), at);
    const trend = await trendTo(ctx, posture, only || at > ctx.now ? 0 : SHOWN_DAYS);
    const { frameworks, asOf, inputs, overall } = posture;
    const first = query.page ?? 0;
    const most = Math.min(query.size ?? DEFAULT_SIZE, MAX_SIZE);
    return {
      asOf,
      inputsDigest: digestOf(inputs),
      disclaimer: DISCLAIMER,
      assets: only?.length ?? null,
      overall: { ...overall, trend: [...trend.overall] },
      items: frameworks.slice(first * most, (first + 1) * most).map((each) => frameworkView(each, trend)),
      page: first,
      size: most,
      totalItems: frameworks.length,
      totalPages: Math.ceil(frameworks.length / most),
    };
  },
});

export const readFrameworkPosture = defineOperation({
  ...shared,
  id: "aiCompliance.frameworkPosture",
  method: "GET",
  path: `${PATH}/frameworks/{key}/posture`,
  extension: true,
  summary: "Show how the organisation stands towards one framework, control by control",
  description: "At this moment. Once frameworks are adopted, only these count, and others are not found here.",
  access: may("read"),
  params: ByKey,
  success: { status: 200, schema: FrameworkPostureAnswer },
  async handler(ctx, { params }) {
    const posture = computePosture(await readInputs(ctx, { at: ctx.now }), ctx.now);
    const found = posture.frameworks.find(({ framework }) => framework.key === params.key);
    if (!found) throw notFound();
    const trend = await trendTo(ctx, posture, SHOWN_DAYS);
    return { ...frameworkView(found, trend), asOf: posture.asOf, controls: found.controls.map(controlView) };
  },
});

/** The assets that a posture is about. `undefined` for all. */
async function chosen(
  ctx: ReadContext,
  { assetId, label }: { readonly assetId?: string | undefined; readonly label?: string | undefined },
): Promise<readonly Asset[] | undefined> {
  if (assetId !== undefined && label !== undefined) throw invalidProperty("/label", "Name an asset or a label.");
  if (assetId !== undefined) return [await ctx.getOrThrow(assets, await sideOf(ctx, assets, assetId))];
  if (label === undefined) return undefined;
  const found = await assetsLabelled(ctx, label);
  if (found?.length === 0) throw notFound();
  if (!found) throw invalidProperty("/label", `More than ${MOST_ASSETS} assets have it.`);
  return found;
}

/** The moment that a posture is about: the start of a later day, or now. */
function momentOf(ctx: ReadContext, day: string | undefined): string {
  if (day === undefined || day === dayOf(ctx.now)) return ctx.now;
  const at = `${day}T00:00:00.000Z`;
  if (at > ctx.now) return at;
  throw invalidProperty("/asOf", "It lies in the past; the trend tells what was then.");
}

/** A framework's posture as the API serves it. Its controls are in the report only. */
export function frameworkView({ framework, controls: _, topGaps, ...posture }: FrameworkPosture, trend: Trend) {
  const { key, name, edition, version, roles } = framework;
  return {
    framework: key,
    name,
    edition,
    version,
    roles: [...roles],
    ...posture,
    topGaps: topGaps.map(gapView),
    trend: [...trend.of(key)],
  };
}

export function gapView({ control, state, reasons, rules }: ControlPosture) {
  const { id, title, weight, guidance } = control;
  return { controlId: id, title, state, reasons: [...reasons], weight, openFindings: rules.open, guidance };
}

/** A control with what its state rests on. */
export function controlView({ control, ...reported }: ControlPosture): z.output<typeof Shown> {
  const { id, parent, title, kind, weight, appliesFrom, roles, sourceRef, automation } = control;
  return {
    controlId: id,
    parent,
    title,
    automation,
    kind,
    weight,
    appliesFrom,
    roles,
    sourceRef,
    ...reported,
  } as z.output<typeof Shown>;
}
