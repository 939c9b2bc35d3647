import { assets, readEstateBody } from "#families/estate/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type GenericBody, located } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { findControl } from "../frameworks/read/find.js";
import { ComplianceFields, GivenEvidence } from "./fields.js";
import { COMPLIANCE_READ_ONLY, type ComplianceRecord } from "./schema.js";
import { namesOf, RESULTS, WORKFLOW } from "./workflow-states.js";

const GivenFields = ComplianceFields.extend({
  addEvidence: z.array(GivenEvidence).max(50).meta({ description: "Evidence to attach." }),
  retireEvidence: z.array(z.string().max(100)).max(200).meta({ description: "Ids of evidence to take out of use." }),
  workflow: z.enum(namesOf(WORKFLOW)).meta({ description: "How far the work on it is." }),
}).partial();

export const ComplianceRequest = openBody({
  id: "ComplianceRecordRequest",
  fields: GivenFields,
  states: namesOf(RESULTS),
  example: {
    framework: "nist-ai-rmf-1.0",
    controlId: "GOVERN 1.1",
    rationale: "The policy of the organisation names the laws that apply.",
  },
});

export type ComplianceBody = ReturnType<typeof readComplianceBody>;

/**
 * Reads a generic body as a compliance record. `current` is the stored record, whose read-only values a body may
 * repeat.
 */
export function readComplianceBody(body: GenericBody, now: string, current: object = {}) {
  try {
    const given = readEstateBody(body, GivenFields, COMPLIANCE_READ_ONLY, current);
    (given.fields.addEvidence ?? []).forEach((evidence, index) => {
      checkEvidence(evidence, `/addEvidence/${index}`, now);
    });
    return given;
  } catch (thrown) {
    throw located(thrown, body);
  }
}

function checkEvidence({ collectedAt = "", validUntil }: GivenEvidence, at: string, now: string): void {
  if (collectedAt > now) throw invalidProperty(`${at}/collectedAt`, "It lies in the future.");
  if (validUntil !== null && validUntil <= (collectedAt === "" ? now : collectedAt))
    throw invalidProperty(`${at}/validUntil`, "It lies before the evidence was collected.");
}

/** The control of a new record. 400 when the control or the asset does not exist. */
export async function requireSubject(ctx: ReadContext, { framework, controlId, assetId }: Partial<ComplianceFields>) {
  if (framework === undefined) throw invalidProperty("/framework", "It is required.");
  if (controlId === undefined) throw invalidProperty("/controlId", "It is required.");
  const found = await findControl(ctx, framework, controlId);
  if (!found) throw unknown("/framework", "There is no such framework.");
  if (!found.control) throw unknown("/controlId", "The framework has no such control.");
  if (assetId != null && !(await ctx.db.get(assets, assetId))) throw unknown("/assetId", "There is no such asset.");
  return { framework, controlId, assetId: assetId ?? null, control: found.control };
}

const unknown = (pointer: string, message: string) => invalidProperty(pointer, message, "invalid_reference");

/** 400 when a body would change the control or the asset of a record. */
export function checkSubject(before: ComplianceRecord, fields: ComplianceBody["fields"]): void {
  for (const name of ["framework", "controlId", "assetId"] as const) {
    if (fields[name] !== undefined && fields[name] !== before[name])
      throw new ReeveError("read_only_property", undefined, {
        errors: [{ pointer: `/${name}`, code: "read_only_property", message: "It is settled when a record is made." }],
      });
  }
}

/** 409 when a body would change what was attested, and not take the attestation back with it. */
export function checkRationale(
  { rationale, status, attestation }: ComplianceRecord,
  { rationale: wanted = rationale }: ComplianceBody["fields"],
  to: string | undefined = status,
): void {
  if (attestation === null || wanted === rationale || to !== status) return;
  throw new ReeveError("in_use", `It was attested that it is ${status} for this reason; move its status with it.`);
}
