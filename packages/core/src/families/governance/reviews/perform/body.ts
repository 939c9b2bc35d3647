import { readEstateBody, refuseUnknown, Text } from "#families/estate/index.js";
import { DISMISSAL_REASONS, Party, SEVERITIES } from "#families/findings/index.js";
import { type FieldError, invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { REASON_LENGTH } from "#kernel/operation/stops.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { ExemptionFields } from "../../exemptions/fields.js";
import { Review } from "../schema.js";
import { ACTION_OF_STATUS, REVIEW_ACTION_NAMES, REVIEW_ACTIONS, type ReviewActionName } from "./actions.js";

/** The fields of an action, at the top level of the body or in `configuration`. */
const GivenFields = z
  .object({
    ...ExemptionFields.omit({ scope: true }).shape,
    action: z.enum(REVIEW_ACTION_NAMES).meta({ description: "What to do." }),
    assignee: Party.nullable().meta({ description: "Who is to deal with it." }),
    reasonCode: z.enum(DISMISSAL_REASONS).meta({ description: "Why it is no finding." }),
    severity: z.enum(SEVERITIES).nullable().meta({ description: "What counts instead; `null`: its own." }),
    comment: Text.min(1).meta({ description: "What you want to say." }),
    exemptionId: z.string().max(100).meta({ description: "Id of the exemption to decide." }),
  })
  .partial();
const REVIEW_READ_ONLY = Object.keys(Review.shape).filter((name) => name !== "attributes");

export const ReviewRequestBody = openBody({
  id: "FindingReviewRequest",
  fields: GivenFields,
  closed: true,
  example: { action: "acknowledge", comment: "We look into it." },
});

export type ReviewFields = z.output<typeof GivenFields>;

/** A requested review action with its fields. */
export interface ReviewRequest {
  readonly action: ReviewActionName;
  readonly fields: ReviewFields;
  readonly name: string | undefined;
  readonly reason: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * Reads a generic body as a review action, named by `action` or by the target `status`. 400 with everything that is
 * missing.
 */
export function readReviewBody(body: GenericBody): ReviewRequest {
  const { fields, free, status, reason } = readEstateBody(body, GivenFields, REVIEW_READ_ONLY);
  refuseUnknown(free.configuration, "Reviews", Object.keys(GivenFields.shape));
  const action = actionOf(fields.action, status);
  checkComplete(action, fields, reason);
  return { action, fields, name: free.name, reason, metadata: free.metadata ?? {}, attributes: free.attributes ?? {} };
}

function actionOf(action: ReviewActionName | undefined, status: string | undefined): ReviewActionName {
  const named = status === undefined ? undefined : (ACTION_OF_STATUS[status] ?? asAction(status));
  if (status !== undefined && named === undefined)
    throw invalidProperty("/status", `No action is or leads to "${status}".`);
  if (action && named && action !== named) throw invalidProperty("/status", `"${action}" does not lead there.`);
  const wanted = action ?? named;
  if (!wanted) throw invalidProperty("/action", `Say what to do: ${REVIEW_ACTION_NAMES.join(", ")}.`);
  return wanted;
}

const asAction = (name: string) => REVIEW_ACTION_NAMES.find((known) => known === name);

function checkComplete(action: ReviewActionName, fields: ReviewFields, reason: string | undefined): void {
  const required: readonly string[] = REVIEW_ACTIONS[action].requires;
  const missing = required.filter((name) => name !== "reason" && fields[name as keyof ReviewFields] === undefined);
  if (missing.length > 0) {
    const errors = missing.map((name) => fault(`/${name}`, `"${action}" needs it.`));
    throw new ReeveError("invalid_request", undefined, { errors });
  }
  if (required.includes("reason") && (reason ?? "").trim().length < REASON_LENGTH) {
    const message = `"${action}" needs at least ${REASON_LENGTH} characters.`;
    throw invalidProperty("/reason", message, "missing_reason");
  }
}

const fault = (pointer: string, message: string): FieldError => ({ pointer, code: "invalid_request", message });
