import { type Finding, findings, moreSevere, type Severity } from "#families/findings/index.js";
import { entityOf } from "#kernel/events/record-events.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { haltStatus } from "../machine.js";
import { haltedAgents } from "../queries.js";
import { type Halt, halts } from "../schema.js";

/** The most halts that are active at once, which every decision reads. */
export const MOST_ACTIVE = 100;

/** How grave a finding is: as detected or as overridden, whichever is graver. */
export const severityOf = ({ severity, effectiveSeverity }: Finding): Severity =>
  moreSevere(severity, effectiveSeverity);

type Wish = Pick<Halt, "scope" | "target" | "reason" | "metadata"> & {
  readonly name: string | undefined;
  readonly findingId: string | null;
};

/**
 * Starts a halt within the transaction. 400 `invalid_reference` for a finding that is not of this tenant, 403
 * `limit_exceeded` when too many are active.
 */
export async function startHalt(ctx: Context, { name, ...wish }: Wish): Promise<Halt> {
  const { count } = await ctx.db.count(halts, { where: { status: "active" } });
  if (count >= MOST_ACTIVE) throw new ReeveError("limit_exceeded", `At most ${MOST_ACTIVE} halts are active at once.`);
  const finding = await findingOf(ctx, wish.findingId);
  const draft = {
    ...ctx.stamp(halts),
    name: name ?? nameOf(wish),
    status: "active" as const,
    ...wish,
    findingSeverity: finding ? severityOf(finding) : null,
    liftRequest: null,
    liftedBy: null,
    liftedAt: null,
    liftedReason: null,
    relatedParty: false,
  };
  const shownUnder = await haltedAgents(ctx, wish);
  return ctx.insert(halts, draft, {
    event: (record) => ({
      type: "halt.created",
      severity: "WARN",
      related: halts.related?.(record) ?? [],
      shownUnder,
      entered: [{ machine: haltStatus.name, to: record.status }],
      data: { entity: entityOf(halts, record), reason: record.reason, after: record },
    }),
  });
}

async function findingOf(ctx: ReadContext, id: string | null): Promise<Finding | undefined> {
  if (id === null) return undefined;
  const row = isIdOf(findings, id) ? await ctx.db.get(findings, id) : undefined;
  if (row) return ctx.derived(findings, row);
  throw invalidProperty("/findingId", "There is no finding with this id.", "invalid_reference");
}

function nameOf({ scope, target }: Pick<Halt, "scope" | "target">): string {
  if (scope === "all_agents") return "Halt of all agents";
  return scope === "team" ? `Halt of the agents of team ${target}` : `Halt of MCP server ${target}`;
}
