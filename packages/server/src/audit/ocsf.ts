import type { AuditEvent } from "./event.js";

/** The version of the Open Cybersecurity Schema Framework that records are written in. */
export const OCSF_VERSION = "1.6.0";

interface OcsfClass {
  readonly class_uid: number;
  readonly category_uid: number;
}

/** Classes by what an event is about. */
const CLASSES = {
  authentication: { class_uid: 3002, category_uid: 3 },
  accountChange: { class_uid: 3001, category_uid: 3 },
  detectionFinding: { class_uid: 2004, category_uid: 2 },
  apiActivity: { class_uid: 6003, category_uid: 6 },
} as const satisfies Readonly<Record<string, OcsfClass>>;

/** Activities of sign-in events, by type without prefix and version: 1 is a logon, 2 a logoff, 99 any other. */
const SIGN_INS: Readonly<Record<string, number>> = {
  "user.signed_in": 1,
  "user.sign_in_failed": 1,
  "client.signed_in": 1,
  "saml.signed_on": 1,
  "session.ended": 2,
  "user.token_refreshed": 99,
};

/** Activities of changes of accounts: 1 is created, 3 another password, 6 deleted, 99 any other. */
const ACCOUNT_CHANGES: Readonly<Record<string, number>> = {
  "user.created": 1,
  "user.password_changed": 3,
  "user.status.changed": 99,
  "user.updated": 99,
  "user.deleted": 6,
  "user.second_factor_changed": 99,
};

/** Activities of changes of accounts by the state that they lead to: 2 is enabled, 5 disabled. */
const ACCOUNT_STATES: Readonly<Record<string, number>> = { active: 2, disabled: 5 };

interface FindingForm {
  readonly activity_id: number;
  readonly status_id: number;
  readonly status: string;
}

const NEW: FindingForm = { activity_id: 1, status_id: 1, status: "New" };
const OPEN_AGAIN: FindingForm = { ...NEW, activity_id: 2 };
const ENDED: FindingForm = { activity_id: 3, status_id: 4, status: "Resolved" };
const SUPPRESSED: FindingForm = { activity_id: 3, status_id: 3, status: "Suppressed" };
/** No event of these says how far the work on a finding is. */
const UPDATED: FindingForm = { activity_id: 2, status_id: 0, status: "Unknown" };

/** Activities of findings, and the status that a finding has then. It is not that of the event. */
const FINDINGS: Readonly<Record<string, FindingForm>> = {
  "finding.opened": NEW,
  "finding.reopened": NEW,
  "finding.resolved": ENDED,
  "finding.closed": ENDED,
  "finding.exempted": SUPPRESSED,
  "finding.voided": OPEN_AGAIN,
  "finding.fix_refuted": OPEN_AGAIN,
};

/** Severities by the text of the event: informational, medium, high. */
const SEVERITIES = { INFO: 1, WARN: 3, ERROR: 4 } as const;

/** An event as a record of OCSF. Everything that has no place there stands in `unmapped`, so that no fact is lost. */
export function ocsfRecord(event: AuditEvent, tenantId: string): Record<string, unknown> {
  const type = bare(event.type);
  const { class_uid, category_uid, activity_id } = classOf(type, event);
  const actor = { user: { uid: event.authid, type: event.authtype } };
  return {
    ...{ class_uid, category_uid, activity_id, type_uid: class_uid * 100 + activity_id },
    time: Date.parse(event.time),
    severity_id: SEVERITIES[event.severitytext],
    ...statusOf(class_uid, event, type),
    status_detail: event.outcome,
    message: `${type} ${event.subject}`,
    metadata: {
      version: OCSF_VERSION,
      product: { name: "Reeve", vendor_name: "Reeve" },
      uid: event.id,
      sequence: Number(event.sequence),
      tenant_uid: tenantId,
      correlation_uid: event.correlationid,
      event_code: type,
    },
    ...partOf(class_uid, event, type, actor),
    unmapped: event,
  };
}

/** Whether what happened succeeded; of a finding what has become of it. */
function statusOf(classUid: number, { outcome }: AuditEvent, type: string) {
  if (classUid === CLASSES.detectionFinding.class_uid) {
    const { status_id, status } = FINDINGS[type] ?? UPDATED;
    return { status_id, status };
  }
  return outcome === "success" ? { status_id: 1, status: "Success" } : { status_id: 2, status: "Failure" };
}

function classOf(type: string, { tostate }: AuditEvent): OcsfClass & { readonly activity_id: number } {
  const signIn = SIGN_INS[type];
  if (signIn !== undefined) return { ...CLASSES.authentication, activity_id: signIn };
  const account = ACCOUNT_CHANGES[type];
  if (account !== undefined) return { ...CLASSES.accountChange, activity_id: ACCOUNT_STATES[tostate ?? ""] ?? account };
  if (type.startsWith("finding."))
    return { ...CLASSES.detectionFinding, activity_id: (FINDINGS[type] ?? UPDATED).activity_id };
  return { ...CLASSES.apiActivity, activity_id: activityOf(type) };
}

/** Activities of calls: create, read, update, delete, and any other. */
function activityOf(type: string): number {
  const verb = type.split(".").at(-1) ?? "";
  return { created: 1, updated: 3, changed: 3, deleted: 4 }[verb] ?? 99;
}

/** What the class of a record asks for. */
function partOf(classUid: number, event: AuditEvent, type: string, actor: object): Record<string, unknown> {
  const subject = { uid: event.subject, type: event.subjecttype };
  if (classUid === CLASSES.authentication.class_uid)
    return { actor, user: { uid: event.authid }, service: { name: "Reeve" } };
  if (classUid === CLASSES.accountChange.class_uid) return { actor, user: { uid: event.subject } };
  if (classUid === CLASSES.detectionFinding.class_uid)
    return { actor, finding_info: { uid: event.subject, title: type, types: [type] }, resources: [subject] };
  // No event keeps from where a call came.
  return { actor, api: { operation: type }, src_endpoint: { name: "unknown" }, resources: [subject] };
}

/** A type without the prefix that this server gives it, and without its version. */
const bare = (type: string) => type.replace(/^reeve\.|\.v\d+$/g, "");
