import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** What an approval covers, the narrowest first. */
export const COVERS = ["same_call", "tool_in_session"] as const;
/** The most uses that are asked for by number. */
const MOST_USES = 1_000;

/** How far an approval reaches. */
export const ApprovalScope = z.strictObject({
  covers: z.enum(COVERS).meta({
    description: "`same_call`: with the same arguments; `tool_in_session`: the tool with any arguments in the session.",
  }),
  uses: z.int().min(1).max(MOST_USES).nullable().meta({ description: "How often; `null`: until it ends." }),
  until: Time.nullable().meta({ description: "When it ends; `null`: as approvals usually do." }),
});
export type ApprovalScope = z.output<typeof ApprovalScope>;

/** A scope as it is given. What is left out is the narrowest that the rest allows. */
export const GivenScope = ApprovalScope.partial();
export type GivenScope = z.output<typeof GivenScope>;

/** A scope as a request for a decision asks for it. */
export const RequestedScope = GivenScope.transform(completed);

/** One use of the very call. */
export const NARROWEST: ApprovalScope = { covers: "same_call", uses: 1, until: null };

/** A scope with nothing left out: one call, unless it is of a tool or until a time. */
export function completed({ covers = "same_call", uses, until = null }: GivenScope): ApprovalScope {
  const byDefault = covers === "same_call" && until === null ? 1 : null;
  return { covers, uses: uses === undefined ? byDefault : uses, until };
}

/** The parts of a scope that reach further than those of another. */
export function widerThan(scope: ApprovalScope, limit: ApprovalScope): (keyof ApprovalScope)[] {
  const isWider = {
    covers: COVERS.indexOf(scope.covers) > COVERS.indexOf(limit.covers),
    uses: limit.uses !== null && (scope.uses ?? Number.POSITIVE_INFINITY) > limit.uses,
    until: limit.until !== null && scope.until !== null && scope.until > limit.until,
  };
  return (Object.keys(isWider) as (keyof ApprovalScope)[]).filter((part) => isWider[part]);
}
