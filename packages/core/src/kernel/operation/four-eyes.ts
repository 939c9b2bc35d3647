import type { StoredRecord } from "#store/collection.js";
import { defineExtensionPoint, type ExtensionPoint } from "../config/extension.js";
import type { EventSpec } from "../events/events.js";
import { subjectOf } from "../events/record-events.js";
import type { Collection } from "../records/collection.js";
import { type InvolvedParties, NONE_INVOLVED } from "../records/involved.js";
import type { Machine, Transition } from "../records/machine.js";
import type { ReadContext } from "./read-context.js";

/** A decision that takes somebody who is not involved in the matter. */
export interface Matter {
  /** What is decided, as in `governanceState: approve`. */
  readonly act: string;
  readonly subject: EventSpec["subject"];
  readonly name: string;
  readonly involved: InvolvedParties;
  /** Ids that the event of a flagged decision is shown under, beside the subject. */
  readonly related: readonly string[];
}

/** A decision outside machines that takes a four-eyes approver. */
export interface FourEyesPlace {
  readonly act: string;
  /** What is decided, in words. */
  readonly decides: string;
}

/** Declares a decision outside machines. Its area lists it in `extends`, for the reference. */
export function defineFourEyes(act: string, decides: string): FourEyesPlace {
  return Object.freeze({ act, decides });
}

/** Extension point: the decisions outside machines that take a four-eyes approver. */
export const fourEyesPlaces: ExtensionPoint<FourEyesPlace> =
  defineExtensionPoint<FourEyesPlace>("kernel.fourEyesPlaces");

/**
 * Refuses a decision of a caller with a conflict of interest. Returns whether the caller is related to somebody
 * involved. It may write, in the transaction of the decision.
 */
export type FourEyesCheck = (ctx: never, matter: Matter) => Promise<boolean>;

/** The area that knows people and machines contributes its check. */
export const fourEyesChecks: ExtensionPoint<FourEyesCheck> = defineExtensionPoint<FourEyesCheck>("kernel.fourEyes");

/**
 * 403 `self_approval_forbidden` when the caller is involved in the matter. Returns whether the decision is flagged,
 * because the caller is related to somebody involved.
 */
export async function requireFourEyes(ctx: ReadContext, matter: Matter): Promise<boolean> {
  const checks = ctx.env.use(fourEyesChecks);
  if (checks.length === 0) throw new Error("no area tells who is a four-eyes approver");
  let flagged = false;
  for (const check of checks) flagged = (await check(ctx as never, matter)) || flagged;
  return flagged;
}

/** Those involved as a record shows: those kept on it, who asked for it and who owns it. */
export function involvedIn(record: object): InvolvedParties {
  const {
    involved = NONE_INVOLVED,
    requestedBy,
    owner,
  } = record as {
    readonly involved?: InvolvedParties;
    readonly requestedBy?: string | null;
    readonly owner?: { readonly id: string } | null;
  };
  const shown = [requestedBy, owner?.id].filter((id) => id !== undefined && id !== null);
  return { ids: [...new Set([...involved.ids, ...shown])], beyond: involved.beyond };
}

/** Refuses a transition by somebody involved. The fields of the record that tell of a decision by somebody else. */
export async function takenBySecond<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  { name: machine }: Pick<Machine, "name">,
  { event, keepsInvolved }: Transition,
  record: R,
  more: readonly string[],
): Promise<object> {
  const shown = involvedIn(record);
  const relatedParty = await requireFourEyes(ctx, {
    act: `${machine}: ${event}`,
    subject: subjectOf(collection, record.id),
    name: (record as { readonly name?: string }).name ?? record.id,
    involved: { ...shown, ids: [...new Set([...shown.ids, ...more])] },
    related: collection.related?.(record) ?? [],
  });
  const fields = { ...(keepsInvolved ? {} : { involved: NONE_INVOLVED }), relatedParty };
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field in record));
}
