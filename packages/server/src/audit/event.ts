import type { EventDocument } from "@reeve/core";
import { configure } from "safe-stable-stringify";

/** What sinks read of an event. Other members are passed on as they are. */
export interface AuditEvent extends EventDocument {
  readonly time: string;
  readonly subject: string;
  readonly subjecttype: string;
  readonly authid: string;
  readonly authtype: string;
  readonly correlationid: string;
  /** The state that a transition went to. */
  readonly tostate?: string;
  readonly outcome: "success" | "denied" | "failure";
  readonly severitytext: "INFO" | "WARN" | "ERROR";
  readonly severitynumber: number;
  readonly sequence: string;
}

/** Events of a tenant as sinks get them. */
export const asAuditEvents = (events: readonly EventDocument[]) => events as readonly AuditEvent[];

const canonical = configure({ strict: true });

/** An event as a line of an export holds it. Its data is in canonical order, so that its hash can be checked. */
export const eventText = (event: EventDocument): string =>
  `{${Object.entries(event)
    .map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`)
    .join(",")}}`;
