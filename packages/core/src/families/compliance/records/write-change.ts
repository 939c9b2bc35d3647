import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { NONE_INVOLVED } from "#kernel/records/involved.js";
import { findControl } from "../frameworks/read/find.js";
import { collected } from "./evidence/collect.js";
import { evidenceHoldsUntil } from "./evidence/evidence.js";
import { type EvidenceItem, MOST_EVIDENCE } from "./fields.js";
import { complianceResult, complianceWorkflow } from "./machine.js";
import { type ComplianceRecord, compliance } from "./schema.js";
import type { ComplianceStatus } from "./workflow-states.js";
import { type ComplianceBody, checkRationale, checkSubject, requireSubject } from "./write-body.js";

type Assessing = Pick<ComplianceRecord, "evidence" | "assessedAt" | "requestedBy">;

/** Stores a new record and moves it to the state in its body. */
export async function addRecord(
  ctx: Context,
  { fields, free, status, reason }: ComplianceBody,
): Promise<ComplianceRecord> {
  const { framework, controlId, assetId } = await requireSubject(ctx, fields);
  const { id, version, ...marks } = ctx.stamp(compliance);
  const { assessor = null, rationale = "", nextReviewAt = null, workflow } = fields;
  const nothing: Assessing = { evidence: [], assessedAt: null, requestedBy: null };
  const made = await ctx.insert(compliance, {
    id,
    name: free.name ?? `${framework} ${controlId}`,
    status: "not_assessed",
    version,
    metadata: free.metadata ?? {},
    ...marks,
    workflow: "to_do",
    framework,
    controlId,
    assetId,
    assessor,
    rationale,
    nextReviewAt,
    ...nothing,
    involved: NONE_INVOLVED,
    relatedParty: false,
    ...(await assessing(ctx, { ...nothing, rationale: "" }, fields)),
    attestation: null,
    evidenceUntil: null,
    staleReason: null,
    configuration: free.configuration ?? {},
    attributes: free.attributes ?? {},
  });
  await reportAdded(ctx, made, 0);
  return move(ctx, made, { status, workflow, reason });
}

/** Changes a record, and recomputes how long its evidence supports the status. */
export async function changeRecord(
  ctx: Context,
  before: ComplianceRecord,
  { fields, free, status, reason }: ComplianceBody,
): Promise<ComplianceRecord> {
  checkSubject(before, fields);
  checkRationale(before, fields, status);
  const { addEvidence: _, retireEvidence: __, workflow, ...plain } = fields;
  const patch = { ...plain, ...free, ...(await assessing(ctx, before, fields)) };
  const evidenceUntil = horizonAfter({ ...before, ...patch }, before);
  const gone = evidenceUntil !== null && evidenceUntil <= ctx.now;
  const after = await ctx.update(compliance, before, gone ? patch : { ...patch, evidenceUntil });
  await reportAdded(ctx, after, before.evidence.length);
  return move(ctx, gone ? await lose(ctx, after) : after, { status, workflow, reason });
}

/** Evidence and assessor after a body. Empty when the body changes no part of the assessment. */
async function assessing(
  ctx: Context,
  before: Assessing & Pick<ComplianceRecord, "rationale">,
  { addEvidence = [], retireEvidence = [], rationale = before.rationale }: ComplianceBody["fields"],
): Promise<Partial<Assessing>> {
  if (addEvidence.length + retireEvidence.length === 0 && rationale === before.rationale) return {};
  const by = ctx.principal.userId;
  const retired = new Set(retireEvidence);
  const known = new Set(before.evidence.filter(({ retiredAt }) => retiredAt === null).map(({ id }) => id));
  retireEvidence.forEach((id, index) => {
    if (!known.has(id)) throw invalidProperty(`/retireEvidence/${index}`, "It is no evidence in use here.");
  });
  const kept = before.evidence.map((item) =>
    retired.has(item.id) ? { ...item, retiredAt: ctx.now, retiredBy: by } : item,
  );
  const added: EvidenceItem[] = [];
  for (const [index, given] of addEvidence.entries()) {
    const content = await collected(ctx, given, `/addEvidence/${index}`);
    const marks = { id: ctx.newId("evd"), by, addedAt: ctx.now, retiredAt: null, retiredBy: null };
    added.push({ ...given, ...content, ...marks });
  }
  if (kept.length + added.length > MOST_EVIDENCE)
    throw invalidProperty("/addEvidence", `A record holds at most ${MOST_EVIDENCE} pieces of evidence.`);
  return { evidence: [...kept, ...added], assessedAt: ctx.now, requestedBy: by };
}

const inUse = ({ evidence }: Pick<ComplianceRecord, "evidence">) =>
  evidence.filter(({ retiredAt }) => retiredAt === null);

/**
 * How long evidence supports the status after a change. An attestation rests on the evidence of its time. New evidence
 * extends nothing before the next attestation, and retired evidence may end it at once.
 */
function horizonAfter(after: ComplianceRecord, before: ComplianceRecord): string | null {
  if (after.evidence === before.evidence) return before.evidenceUntil;
  if (before.status === "partial") return evidenceHoldsUntil([], inUse(after));
  const attested = new Set(before.attestation?.evidence ?? []);
  const lost = after.evidence.some(({ id, retiredAt }) => retiredAt === after.assessedAt && attested.has(id));
  const rests = before.status === "compliant" || before.status === "exempted";
  return rests && lost ? after.assessedAt : before.evidenceUntil;
}

const lose = (ctx: Context, record: ComplianceRecord) =>
  ctx.transition(
    compliance,
    complianceResult,
    record,
    { event: "lose_evidence" },
    {
      triggeredBy: "policy",
      reason: "Evidence that it rested on was retired.",
      patch: { evidenceUntil: null, attestation: null, staleReason: "evidence_retired" },
    },
  );

async function move(
  ctx: Context,
  record: ComplianceRecord,
  {
    status,
    workflow,
    reason,
  }: { status: string | undefined; workflow: string | undefined; reason: string | undefined },
): Promise<ComplianceRecord> {
  let moved = record;
  let next = workflow;
  if (status !== undefined && status !== record.status) {
    const patch = await restsOn(ctx, record, status as ComplianceStatus, reason);
    moved = await ctx.transition(
      compliance,
      complianceResult,
      record,
      { to: status },
      { reason, patch, involved: involvedInRecord(record) },
    );
    // The review that was asked for ends with it.
    if (moved.attestation && record.workflow === "in_review") next ??= "done";
  }
  if (next === undefined) return moved;
  return ctx.transition(compliance, complianceWorkflow, moved, { to: next }, { reason });
}

/** Who is to assess it, and who attached evidence in use. */
function involvedInRecord(record: ComplianceRecord): string[] {
  return [...(record.assessor === null ? [] : [record.assessor]), ...inUse(record).map(({ by }) => by)];
}

/** The fields that record what a new status rests on. */
async function restsOn(
  ctx: Context,
  record: ComplianceRecord,
  to: ComplianceStatus,
  reason: string | undefined,
): Promise<Partial<ComplianceRecord>> {
  const kept = inUse(record);
  const none = { attestation: null, evidenceUntil: null, staleReason: null };
  const attestation = {
    by: ctx.principal.userId,
    at: ctx.now,
    evidence: kept.map(({ id }) => id),
    reason: reason ?? null,
  };
  if (to === "partial") return { ...none, evidenceUntil: evidenceHoldsUntil([], kept) };
  if (to === "exempted") return { ...none, attestation, evidenceUntil: evidenceHoldsUntil([], kept) };
  if (to === "not_applicable") return { ...none, attestation };
  if (to !== "compliant") return none;
  const found = await findControl(ctx, record.framework, record.controlId);
  return { ...none, attestation, evidenceUntil: evidenceHoldsUntil(found?.control?.evidence ?? [], kept) };
}

async function reportAdded(ctx: Context, record: ComplianceRecord, known: number): Promise<void> {
  const added = record.evidence.slice(known);
  if (added.length === 0) return;
  await ctx.emit({
    type: "compliance.evidence.added",
    subject: { id: record.id, type: "compliance", path: `/api/v1/ai/compliance/${record.id}` },
    related: record.assetId === null ? [] : [record.assetId],
    data: {
      entity: { type: "compliance", id: record.id, name: record.name },
      framework: record.framework,
      controlId: record.controlId,
      evidence: added.map(({ id, type, ref, digest, collectedAt, validUntil }) => ({
        id,
        type,
        ref,
        digest,
        collectedAt,
        validUntil,
      })),
    },
  });
}
