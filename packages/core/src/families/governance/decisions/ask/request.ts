import type { FieldError } from "#kernel/http/errors.js";
import { ReeveError } from "#kernel/http/errors.js";
import { jsonPointer } from "#kernel/http/json-pointer.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { RequestedScope } from "../approvals/scope.js";

/** Where decisions are requested. Their events have it as source. */
export const EVALUATE_PATH = "/api/v1/ai/policies/evaluate";
/** The most decisions of one request. */
export const MOST_EVALUATIONS = 100;
export const SEMANTICS = ["execute_all", "deny_on_first_deny", "permit_on_first_permit"] as const;
export type Semantic = (typeof SEMANTICS)[number];

const Word = z.string().min(1).max(200);
const Id = z.string().min(1).max(500);
const Properties = AnyObject.optional().meta({ description: "What the caller says of it; rules may read it." });

// Strict objects, so that a request has nothing that an approval would not be bound to.
const Party = z.strictObject({
  type: Word.meta({ description: "What kind of thing it is." }),
  id: Id.meta({ description: "Id of it, as the host knows it." }),
  properties: Properties,
});
const Action = z.strictObject({ name: Word.meta({ description: "Name of the action." }), properties: Properties });

const PARTS = {
  subject: Party.optional().meta({ description: "The person or agent who asks." }),
  action: Action.optional().meta({ description: "The action that is asked for." }),
  resource: Party.optional().meta({ description: "The object that the action is about." }),
  context: AnyObject.optional().meta({
    description:
      "Circumstances. `sessionId`, `sessionEpoch`, `approvalId`, `approvalScope` and `supported_obligations` mean something here.",
  }),
};

/** A request for a decision, in the form of the AuthZEN Authorization API 1.0. */
export const DecisionFields = z.object({
  ...PARTS,
  evaluations: z.array(z.strictObject(PARTS)).max(MOST_EVALUATIONS).optional().meta({
    description: "Several at once; what one leaves out is taken from the top level.",
  }),
  options: z
    .looseObject({ evaluations_semantic: z.enum(SEMANTICS).optional().meta({ description: "When a batch stops." }) })
    .optional()
    .meta({ description: "`evaluations_semantic`: `execute_all` unless said." }),
});
export type DecisionFields = z.input<typeof DecisionFields>;

/** The subject, action and resource of a request. */
export interface Action {
  readonly subject: z.output<typeof Party>;
  readonly action: z.output<typeof Action>;
  readonly resource: z.output<typeof Party>;
}

/** One request for a decision, with its circumstances. */
export interface Ask extends Action {
  readonly context: Readonly<Record<string, unknown>>;
}

/** One request or a batch. */
export interface DecisionRequest {
  readonly asks: readonly Ask[];
  readonly batch: boolean;
  readonly semantic: Semantic;
}

type Json = Readonly<Record<string, unknown>>;

const KNOWN: readonly string[] = Object.keys(DecisionFields.shape);

/**
 * Reads a request, whose properties may be at the top level or in `configuration`. 400 with everything that is missing.
 */
export function readRequest(body: Json): DecisionRequest {
  const inside = (body.configuration ?? {}) as Json;
  const given: Record<string, unknown> = {};
  for (const name of KNOWN) {
    const value = Object.hasOwn(body, name) ? body[name] : inside[name];
    if (value !== undefined) given[name] = value;
  }
  const parsed = DecisionFields.safeParse(given);
  if (!parsed.success) throw refused(parsed.error.issues.flatMap(faultsOf));
  const { evaluations = [], options, ...defaults } = parsed.data;
  const batch = evaluations.length > 0;
  const whole = batch ? evaluations.map((one) => ({ ...defaults, ...one })) : [defaults];
  const faults = whole.flatMap((one, index) =>
    (["subject", "action", "resource"] as const)
      .filter((name) => one[name] === undefined)
      .map((name) => ({
        pointer: `${batch ? `/evaluations/${index}` : ""}/${name}`,
        code: "invalid_request",
        message: "It is required.",
      })),
  );
  if (faults.length > 0) throw refused(faults);
  const asks = whole.map(({ context = {}, ...action }) => ({ ...(action as Action), context }));
  const unclear = asks.flatMap(({ context }, index) =>
    scopeFaults(context).map((fault) => ({
      ...fault,
      pointer: `${batch ? `/evaluations/${index}` : ""}${fault.pointer}`,
    })),
  );
  if (unclear.length > 0) throw refused(unclear);
  return { asks, batch, semantic: options?.evaluations_semantic ?? "execute_all" };
}

/** What is wrong with the scope that an approval is asked for. */
function scopeFaults({ approvalScope, sessionId }: Json): FieldError[] {
  if (approvalScope === undefined) return [];
  const { data, error } = RequestedScope.safeParse(approvalScope);
  if (error) return error.issues.map((issue) => ({ ...fieldFault(issue, ["context", "approvalScope"]) }));
  if (data.covers !== "tool_in_session" || sessionId !== undefined) return [];
  const pointer = "/context/approvalScope/covers";
  return [{ pointer, code: "invalid_request", message: "A session must be named in `context.sessionId`." }];
}

const fieldFault = ({ path, message }: z.core.$ZodIssue, before: readonly string[]): FieldError => {
  return { pointer: jsonPointer([...before, ...path]), code: "invalid_request", message };
};

/** Whether a batch stops after this decision. */
export function endsBatch(semantic: Semantic, decision: boolean): boolean {
  return semantic === (decision ? "permit_on_first_permit" : "deny_on_first_deny");
}

const refused = (errors: readonly FieldError[]) => new ReeveError("invalid_request", undefined, { errors });

function faultsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== "unrecognized_keys")
    return [{ pointer: jsonPointer(issue.path), code: "invalid_request", message: issue.message }];
  return issue.keys.map((key) => ({
    pointer: jsonPointer([...issue.path, key]),
    code: "invalid_request",
    message: "Unknown property; put it into `properties` or `context`.",
  }));
}
