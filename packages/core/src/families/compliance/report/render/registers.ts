import type { Report } from "../schema.js";
import { html, type Markup } from "./markup.js";
import { row, table } from "./table.js";
import { ageOf, counted, day, dayOr, words } from "./words.js";

type People = Report["people"];

/** The name of somebody, with the id where the name is not known. */
export const person = (people: People, id: string | null): string => (id === null ? "nobody" : (people[id] ?? id));

/** An asset by name and id. Deleted ones have no name. */
export const asset = (names: Report["assets"], id: string | null): Markup =>
  html`Asset ${id !== null && names[id]} <code>${id}</code>`;

/** What an exemption takes in. */
function scopeOf(scope: Report["exemptions"][number]["scope"]): Markup {
  if ("fingerprint" in scope) return html`One finding, <code>${scope.fingerprint}</code>`;
  const rules = scope.ruleKeys.length === 0 ? "all rules" : scope.ruleKeys.join(", ");
  return html`Policy ${scope.policyKey}, ${rules}, on ${"assetId" in scope ? "one asset" : "what a selector takes in"}`;
}

/** Who assessed and attested a control, why, and by which evidence. */
export function assessment(
  record: Report["assessments"][number],
  { people, asOf }: Pick<Report, "people" | "asOf">,
): Markup {
  const { id, rationale, attestation, requestedBy, assessedAt, evidence, nextReviewAt, relatedParty } = record;
  const pieces = evidence.filter(({ retiredAt }) => retiredAt === null);
  return html`<small>${
    attestation
      ? html`Attested by ${person(people, attestation.by)} on ${day(attestation.at)}${
          relatedParty && ", a related party"
        }.`
      : "Attested by nobody."
  }${assessedAt !== null && html` Assessed by ${person(people, requestedBy)} on ${day(assessedAt)}.`}${
    nextReviewAt !== null && html` Next review ${day(nextReviewAt)}.`
  } Record <code>${id}</code></small>${rationale !== "" && html`<small>“${rationale}”</small>`}${
    attestation?.reason && html`<small>Reason of the attestation: “${attestation.reason}”</small>`
  }${pieces.map(
    ({ type, ref, digest, collectedAt, validUntil, by }) =>
      html`<small>${words(type)}: ${ref}, collected ${day(collectedAt)} (${ageOf(collectedAt, asOf)}), attached by ${person(people, by)}${
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
export function assetAssessments(report: Report): Markup {
  const { assessments, assets, omitted } = report;
  const own = assessments.filter(({ assetId }) => assetId !== null);
  if (own.length === 0) return html`<p>No asset has an assessment of its own.</p>`;
  const rows = own.map((record) =>
    row(
      html`<b>${record.controlId}</b> ${record.framework}<small>${asset(assets, record.assetId)}</small>`,
      words(record.status),
      assessment(record, report),
    ),
  );
  const caption = counted(own.length, "assessment");
  return html`${table(caption, ["Control and asset", "Result", "What that rests on"], rows)}${more(omitted.assessments)}`;
}

/** What stands in place of a register that whoever prepared the report may not read. */
export const WITHHELD = html`<p>Left out: whoever prepared this report may not read them.</p>`;

export function findings({ findings: open, people, omitted, withheld }: Report): Markup {
  if (withheld.includes("findings")) return WITHHELD;
  if (open.length === 0) return html`<p>No finding is open.</p>`;
  const rows = open.map(
    ({
      id,
      title,
      message,
      assetId,
      assetName,
      effectiveSeverity,
      status,
      firstSeenAt,
      dueAt,
      slaBreached,
      policyKey,
      policyRevision,
      controls,
      assignee,
    }) =>
      row(
        html`<b>${title}</b> ${assetName}<small>Asset <code>${assetId}</code></small><small>Finding <code>${id}</code></small>`,
        words(effectiveSeverity),
        html`${message} ${words(status)} since ${day(firstSeenAt)}, due ${dayOr(dueAt, "without a day")}${slaBreached && ", overdue"}.${
          assignee && ` Assigned to ${assignee.name ?? person(people, assignee.id)}.`
        } ${policyRevision === null ? "Found about its access" : html`Policy ${policyKey}, revision ${policyRevision}`}.${controls.length > 0 && html`<small>Counts against ${controls.join(", ")}</small>`}`,
      ),
  );
  return html`${table(counted(open.length, "open finding"), ["Finding", "Severity", "Standing"], rows)}${more(omitted.findings)}`;
}

export function exemptionRegister({ exemptions, assets, people, omitted, withheld }: Report): Markup {
  if (withheld.includes("exemptions")) return WITHHELD;
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
      scope,
      onAssetId,
      startsAt,
      compensatingControls,
      ticketRef,
      relatedParty,
      revokedBy,
      revokedAt,
      revokedReason,
    }) =>
      row(
        html`<b>${name}</b> ${words(category)}<small>${scopeOf(scope)}${
          onAssetId !== null && html`. ${asset(assets, onAssetId)}`
        }</small><small>Exemption <code>${id}</code></small>`,
        words(status),
        html`From ${day(startsAt)} to ${day(expiresAt)}; up to ${maxSeverity}. Asked for by ${person(people, requestedBy)} on ${day(requestedAt)}. ${
          approvedBy === null || approvedAt === null
            ? "Approved by nobody."
            : html`Approved by ${person(people, approvedBy)} on ${day(approvedAt)}${relatedParty && ", a related party"}.`
        }${
          revokedAt !== null &&
          html` Revoked by ${person(people, revokedBy)} on ${day(revokedAt)}${revokedReason && `: “${revokedReason}”`}.`
        }<small>“${reason}”</small>${compensatingControls !== "" && html`<small>Meanwhile: ${compensatingControls}</small>`}${
          ticketRef !== null && html`<small>Ticket ${ticketRef}</small>`
        }`,
      ),
  );
  return html`${table(counted(exemptions.length, "exemption"), ["Exemption", "State", "Terms"], rows)}${more(omitted.exemptions)}`;
}

export function policyRevisions({ policies, people, withheld }: Report): Markup {
  if (withheld.includes("policies")) return WITHHELD;
  if (policies.length === 0) return html`<p>There is no policy.</p>`;
  const rows = policies.map(({ key, name, status, revision, digest, updatedAt, updatedBy }) =>
    row(
      html`<b>${key}</b> ${name !== key && name}`,
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

/** How many rows a register leaves out. */
export const more = (omitted: number): Markup | false =>
  omitted > 0 && html`<p>${omitted} more are left out; the lists of the interface hold them.</p>`;
