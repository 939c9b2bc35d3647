import type { AuditSink } from "@reeve/core";
import { type AuditEvent, asAuditEvents, eventText } from "./event.js";

const PATIENCE_MS = 10_000;

/** Posts events as logs of OTLP over HTTP, in JSON, to the address of a collector's `/v1/logs`. */
export function otlpLogs(url: string): AuditSink {
  return {
    name: `otlp ${new URL(url).host}`,
    async take(events, tenantId) {
      const resource = { attributes: attributes({ "service.name": "reeve", "reeve.tenant.id": tenantId }) };
      const logRecords = asAuditEvents(events).map(logRecord);
      const body = JSON.stringify({
        resourceLogs: [{ resource, scopeLogs: [{ scope: { name: "@reeve/core" }, logRecords }] }],
      });
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
      const said = Object(await answer.json().catch(() => undefined)) as {
        readonly partialSuccess?: { readonly rejectedLogRecords?: string | number };
      };
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      const rejected = Number(said.partialSuccess?.rejectedLogRecords ?? 0);
      if (rejected > 0) throw new Error(`the collector refused ${rejected} records`);
    },
  };
}

/** An event as a log record: its name, its envelope as attributes, and all of it as the body. */
function logRecord(event: AuditEvent) {
  const { id, type, subject, subjecttype, authid, authtype, correlationid, outcome, sequence } = event;
  const nanoseconds = `${Date.parse(event.time)}000000`;
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber: event.severitynumber,
    severityText: event.severitytext,
    eventName: type,
    body: { stringValue: eventText(event) },
    attributes: attributes({
      ...{ "cloudevents.event_id": id, "cloudevents.event_type": type, "cloudevents.event_subject": subject },
      ...{ "reeve.subject.type": subjecttype, "enduser.id": authid, "reeve.actor.type": authtype },
      ...{ "reeve.request.id": correlationid, "reeve.outcome": outcome, "reeve.sequence": sequence },
    }),
  };
}

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
