import type { EventSpec } from "#kernel/events/events.js";
import type { StoredEvent } from "#store/event-log.js";

/** Whether maintenance of the chain wrote the event. Such events alone are no reason for a checkpoint. */
export function isOfMaintenance(event: StoredEvent): boolean {
  return /\.audit\.(?:checkpoint|pruned)\.v1$/.test(reported(event).type);
}

/** Whether an event is about the chain itself or its erasures. Such events are never erased. */
export function isOfChain(event: StoredEvent): boolean {
  if (isOfMaintenance(event)) return true;
  const { type, subjecttype } = reported(event);
  return type.endsWith(".audit.erased.v1") || subjecttype === "erasure";
}

function reported({ attributes }: StoredEvent): { readonly type: string; readonly subjecttype: string } {
  return JSON.parse(attributes) as { type: string; subjecttype: string };
}

/** The subject of all events about the chain. The activity of `audit` lists them. */
export const CHAIN_SUBJECT: EventSpec["subject"] = {
  id: "audit",
  type: "event_chain",
  path: "/api/v1/ai-governance/audit/verification",
};
export const CHAIN_ENTITY = { type: CHAIN_SUBJECT.type, id: CHAIN_SUBJECT.id };
