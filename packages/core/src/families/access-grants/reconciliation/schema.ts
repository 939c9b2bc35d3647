import { AccessPrincipal, ExternalReference } from "#families/access/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { defineCollection } from "#kernel/records/collection.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { TARGET_STATES } from "../assignments/schema.js";

/** What a reconciliation is doing. */
export const RECONCILIATION_PHASES = ["idle", "due", "working", "waiting", "external", "parked"] as const;

export const ReconciliationFailure = z.object({
  errorClass: z.string(),
  code: z.string().nullable(),
  message: z.string(),
});

const AccessReconciliation = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  grantKey: z.string(),
  /** The assignment that it was last woken for; `null` for access that nobody granted here. */
  assignmentId: z.string().nullable(),
  connectorInstanceId: z.string(),
  resourceId: z.string(),
  resource: ExternalReference,
  profileExternalId: z.string(),
  principal: AccessPrincipal,
  parameters: AnyObject,
  externalGrantId: z.string().nullable(),
  phase: z.enum(RECONCILIATION_PHASES),
  /** What the holders wanted when it last looked. */
  wanted: z.enum(["present", "absent"]),
  targetState: z.enum(TARGET_STATES),
  observedAt: Time.nullable(),
  /** Rises whenever a holder comes, goes or changes. */
  asked: z.int(),
  /** Rises with each lease. An outcome counts only with the fence of its lease. */
  fence: z.int(),
  /** The write that was begun and whose outcome is not known yet. */
  acting: z.enum(["grant", "revoke"]).nullable(),
  /** A grant was begun since the target was last seen without it. */
  granted: z.boolean(),
  /** The target has shown this grant since it was begun. Only what was shown once can be seen to be gone. */
  shown: z.boolean(),
  /** Since when the target does not show a grant that it took. */
  hiddenSince: Time.nullable(),
  preExisting: z.boolean(),
  /** The target is to set the end anew, although the grant is there. */
  renew: z.boolean(),
  /** What the target works on, to be polled. */
  externalOpRef: z.string().nullable(),
  /** Since when it works on that. */
  externalSince: Time.nullable(),
  /** Failed attempts since `wanted` last changed, and when the first was. */
  attempts: z.int(),
  failingSince: Time.nullable(),
  failure: ReconciliationFailure.nullable(),
  /** Until when what the target's copies say may be older than the last write. */
  settledUntil: Time.nullable(),
  /** The scan for drift that last saw the grant in the target, or had an answer about it. */
  listedBy: z.string().nullable(),
  /** When it goes on, or the lease of the process that works on it ends. */
  dueAt: Time.nullable(),
});
export type AccessReconciliation = z.output<typeof AccessReconciliation>;

/** What a reconciliation begins with, whatever it is about. */
export const NEW_RECONCILIATION = {
  externalGrantId: null,
  phase: "due",
  asked: 1,
  fence: 0,
  acting: null,
  granted: false,
  shown: false,
  hiddenSince: null,
  renew: false,
  externalOpRef: null,
  externalSince: null,
  attempts: 0,
  failingSince: null,
  failure: null,
  settledUntil: null,
  listedBy: null,
} as const satisfies Partial<AccessReconciliation>;

type Held = Pick<AccessReconciliation, "connectorInstanceId"> & {
  readonly resource: { readonly type: string; readonly externalId: string };
  readonly principal: { readonly externalId: string };
};

/** The kind of resources of a target, of which a target shows all access or none. */
export const kindOf = ({
  connectorInstanceId,
  resource,
}: Pick<AccessReconciliation, "connectorInstanceId" | "resource">) => `${connectorInstanceId} ${resource.type}`;

/** Hash of a resource and who has access to it, whatever the access. */
export const heldOn = ({ connectorInstanceId, resource, principal }: Held): string =>
  sha256(canonical([connectorInstanceId, resource.type, resource.externalId, principal.externalId]));

/** One per grant: it makes the target agree with those who hold the grant, one call at a time. */
export const accessReconciliations = defineCollection<AccessReconciliation>({
  name: "access_lanes",
  prefix: "aln",
  schema: AccessReconciliation,
  fields: {
    grantKey: { type: "text", compare: "exact" },
    connectorInstanceId: { type: "text" },
    heldOn: { type: "text", of: heldOn },
    dueAt: { type: "time" },
    /** Revocations first. */
    urgentAt: { type: "time", of: ({ wanted, dueAt }) => (wanted === "absent" ? dueAt : null) },
    parkedOf: {
      type: "text",
      of: ({ phase, connectorInstanceId }) => (phase === "parked" ? connectorInstanceId : null),
    },
    shownOn: { type: "text", of: (reconciliation) => (reconciliation.shown ? kindOf(reconciliation) : null) },
    hiddenOf: {
      type: "text",
      of: ({ hiddenSince, connectorInstanceId }) => (hiddenSince === null ? null : connectorInstanceId),
    },
    underWayOf: {
      type: "text",
      of: ({ phase, connectorInstanceId }) => (phase === "idle" ? null : connectorInstanceId),
    },
  },
  unique: { grant: ["grantKey"] },
  indexes: [
    { where: ["connectorInstanceId"] },
    { where: ["heldOn"] },
    { where: [], by: "dueAt", partial: true },
    { where: [], by: "urgentAt", partial: true },
    { where: ["parkedOf"] },
    { where: ["underWayOf"] },
    { where: ["shownOn"] },
    { where: ["hiddenOf"] },
  ],
  secrets: [],
});
