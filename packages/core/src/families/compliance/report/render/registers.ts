import type { Report } from "../schema.js";
import { html, type Markup } from "./markup.js";
import { row, table } from "./table.js";
import { counted, day, dayOr, words } from "./words.js";

type People = Report["people"];

/** The name of somebody, with the id where the name is not known. */
export const person = (people: People, id: string | null): string => (id === null ? "nobody" : (people[id] ?? id));

/** Who assessed and attested a control, why, and by which evidence. */
export function assessment(record: Report["assessments"][number], people: People): Markup {
  const { id, rationale, attestation, requestedBy, assessedAt, evidence, nextReviewAt } = record;
  const pieces = evidence.filter(({ retiredAt }) => retiredAt === null);
  return html`<small>${
    attestation
      ? html`Attested by ${person(people, attestation.by)} on ${day(attestation.at)}.`
      : html`Attested by nobody.`
  }${assessedAt !== null && html` Assessed by ${person(people, requestedBy)} on ${day(assessedAt)}.`}${
    nextReviewAt !== null && html` Next review ${day(nextReviewAt)}.`
  } Record <code>${id}</code></small>${rationale !== "" && html`<small>“${rationale}”</small>`}${pieces.map(
    ({ type, ref, digest, collectedAt, validUntil, by }) =>
      html`<small>${words(type)}: ${ref}, collected ${day(collectedAt)}, attached by ${person(people, by)}${
        validUntil !== null && html`, until ${day(validUntil)}`
      }. ${digest === null ? "No digest." : html`SHA-256 <code>${digest.replace("sha256:", "")}</code>`}</small>`,
  )}`;
}

export function statement(lines: Report["statement"]): Markup {
  if (lines.length === 0) return html``;
  const rows = lines.map(({ controlId, applicable, justification }) =>
    row(
      html`<b>${controlId}</b>`,
      applicable ? "Applicable" : "Left out",
      justification || "No justification is on record.",
    ),
  );
  return html`<h3>Statement of applicability</h3>${table(counted(lines.length, "control"), ["Control", "Applicability", "Justification"], rows)}`;
}

/** The assessments of single assets, which count for no framework above. */
export function assetAssessments({ assessments, people }: Report): Markup {
  const own = assessments.filter(({ assetId }) => assetId !== null);
  if (own.length === 0) return html`<p>No asset has an assessment of its own.</p>`;
  const rows = own.map((record) =>
    row(
      html`<b>${record.controlId}</b> ${record.framework}<small>Asset <code>${record.assetId}</code></small>`,
      words(record.status),
      assessment(record, people),
    ),
  );
  return table(counted(own.length, "assessment"), ["Control and asset", "Result", "What that rests on"], rows);
}

export function findings({ findings: open, omitted }: Report): Markup {
  if (open.length === 0) return html`<p>No finding is open.</p>`;
  const rows = open.map(
    ({ id, title, assetName, effectiveSeverity, status, firstSeenAt, dueAt, policyKey, policyRevision }) =>
      row(
        html`<b>${title}</b> ${assetName}<small>Finding <code>${id}</code></small>`,
        words(effectiveSeverity),
        html`${words(status)} since ${day(firstSeenAt)}, due ${dayOr(dueAt, "without a day")}. Policy ${policyKey}, revision ${policyRevision}.`,
      ),
  );
  return html`${table(counted(open.length, "open finding"), ["Finding", "Severity", "Standing"], rows)}${more(omitted.findings)}`;
}

export function exemptionRegister({ exemptions, people, omitted }: Report): Markup {
  if (exemptions.length === 0) return html`<p>Nobody has asked for an exemption.</p>`;
  const rows = exemptions.map(
    ({
      id,
      name,
      status,
      category,
      reason,
      requestedBy,
      requestedAt,
      approvedBy,
      approvedAt,
      expiresAt,
      maxSeverity,
    }) =>
      row(
        html`<b>${name}</b> ${words(category)}<small>Exemption <code>${id}</code></small>`,
        words(status),
        html`Ends ${day(expiresAt)}; up to ${maxSeverity}. Asked for by ${person(people, requestedBy)} on ${day(requestedAt)}. ${
          approvedBy === null || approvedAt === null
            ? "Approved by nobody."
            : html`Approved by ${person(people, approvedBy)} on ${day(approvedAt)}.`
        }<small>“${reason}”</small>`,
      ),
  );
  return html`${table(counted(exemptions.length, "exemption"), ["Exemption", "State", "Terms"], rows)}${more(omitted.exemptions)}`;
}

export function policyRevisions({ policies, people }: Report): Markup {
  if (policies.length === 0) return html`<p>There is no policy.</p>`;
  const rows = policies.map(({ key, status, revision, digest, updatedAt, updatedBy }) =>
    row(
      html`<b>${key}</b>`,
      html`${words(status)}, revision ${revision}`,
      html`Changed by ${person(people, updatedBy)} on ${day(updatedAt)}. SHA-256 <code>${digest}</code>`,
    ),
  );
  return table(
    `${policies.length} ${policies.length === 1 ? "policy" : "policies"}`,
    ["Policy", "State", "Last change"],
    rows,
  );
}

const more = (omitted: number): Markup | false =>
  omitted > 0 && html`<p>${omitted} more are left out; the lists of the interface hold them.</p>`;
