import type { EventSpec } from "../../../kernel/events/events.js";
import type { StoredEvent } from "../../../store/event-log.js";

/** Whether maintenance of the chain wrote the event. Such events alone are no reason for a checkpoint. */
export function isOfMaintenance(event: StoredEvent): boolean {
  return /\.audit\.(?:checkpoint|pruned)\.v1$/.test(typeOf(event));
}

/** Whether an event is about the chain itself. Such events are never erased. */
export function isOfChain(event: StoredEvent): boolean {
  return isOfMaintenance(event) || typeOf(event).endsWith(".audit.erased.v1");
}

function typeOf({ attributes }: StoredEvent): string {
  return (JSON.parse(attributes) as { type: string }).type;
}

/** The subject of all events about the chain. The activity of `audit` lists them. */
export const CHAIN_SUBJECT: EventSpec["subject"] = {
  id: "audit",
  type: "event_chain",
  path: "/api/v1/ai-governance/audit/verification",
};
export const CHAIN_ENTITY = { type: CHAIN_SUBJECT.type, id: CHAIN_SUBJECT.id };
