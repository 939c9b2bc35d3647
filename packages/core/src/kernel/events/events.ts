import { sequenceText, sha256 } from "#store/chain.js";
import type { EventDraft, StoredEvent } from "#store/event-log.js";
import type { Principal } from "../config/principal.js";
import { canonical } from "./canonical.js";

/** The severity of an event, with the names and numbers of OpenTelemetry. */
export type Severity = "INFO" | "WARN" | "ERROR";

const SEVERITY_NUMBER: Record<Severity, number> = { INFO: 9, WARN: 13, ERROR: 17 };

/** An event before it has an id, a time and a place in the chain. */
export interface EventSpec {
  /** Type without prefix and version: `asset.created`. */
  readonly type: string;
  readonly subject: { readonly id: string; readonly type: string; readonly path: string };
  readonly data: Readonly<Record<string, unknown>>;
  readonly outcome?: "success" | "denied" | "failure";
  readonly severity?: Severity;
  /** Other ids whose activity shows this event. */
  readonly related?: readonly string[];
  /** The same for ids that are too many to be named in the event. */
  readonly shownUnder?: readonly string[];
  /** Set by transitions: the machine and its states before and after. */
  readonly transition?: { readonly machine: string; readonly from: string | null; readonly to: string };
  /** Set by creations: the first state of each machine, so that histories start with it. */
  readonly entered?: readonly { readonly machine: string; readonly to: string }[] | undefined;
}

/** The stream with a record's history in one machine. */
export function historyStream(subjectId: string, machine: string): string {
  return `${subjectId}#${machine}`;
}

interface Origin {
  readonly id: string;
  readonly time: string;
  readonly principal: Principal;
  readonly requestId: string;
  readonly typePrefix: string;
}

/** Makes the CloudEvents envelope and its hashes. The store adds sequence and links. */
export function draftEvent(spec: EventSpec, origin: Origin): EventDraft {
  const outcome = spec.outcome ?? "success";
  const severity = spec.severity ?? (outcome === "success" ? "INFO" : "WARN");
  const data = canonical(spec.data);
  const { transition, related } = spec;
  // The properties are in their final order, because sorting is fastest on sorted keys.
  const attributes = canonical({
    authid: origin.principal.userId,
    authtype: origin.principal.kind,
    correlationid: origin.requestId,
    datacontenttype: "application/json",
    datahash: sha256(data),
    fromstate: transition && (transition.from ?? ""),
    id: origin.id,
    machine: transition?.machine,
    outcome,
    related: related?.length ? related.join(" ") : undefined,
    severitynumber: SEVERITY_NUMBER[severity],
    severitytext: severity,
    source: spec.subject.path,
    specversion: "1.0",
    status: outcome,
    subject: spec.subject.id,
    subjecttype: spec.subject.type,
    time: origin.time,
    tostate: transition?.to,
    type: `${origin.typePrefix}.${spec.type}.v1`,
  });
  const histories = transition ? [transition] : (spec.entered ?? []);
  const streams = [
    spec.subject.id,
    ...(related ?? []),
    ...(spec.shownUnder ?? []),
    ...histories.map(({ machine }) => historyStream(spec.subject.id, machine)),
  ];
  return {
    id: origin.id,
    time: origin.time,
    attributes,
    data,
    recordHash: sha256(attributes),
    streams: [...new Set(streams)],
  };
}

/** The event as served and exported. It joins the hashed texts without parsing them. */
export function eventText(event: StoredEvent): string {
  const place = `"sequence":"${sequenceText(event.sequence)}","prevhash":"${event.prevHash}","eventhash":"${event.eventHash}"`;
  return `${event.attributes.slice(0, -1)},"data":${event.data ?? "null"},${place}}`;
}
