import { createHash } from "node:crypto";
import { type Asset, newId } from "./asset.js";

/** An event without its place in the tenant's chain. */
export interface Event {
  readonly id: string;
  readonly time: string;
  readonly attributes: string;
  readonly data: string;
  readonly recordHash: string;
  readonly streams: readonly string[];
}

interface Move {
  readonly from: string;
  readonly to: string;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The hash that links an event to the one before it. */
export function linkOf(previous: string, sequence: number, recordHash: string): string {
  return sha256(`${previous}\n${String(sequence).padStart(12, "0")}\n${recordHash}`);
}

export function createdEvent(asset: Asset, by: string, requestId: string, at: number): Event {
  const data = { after: asset, entity: { id: asset.id, name: asset.name, type: "ai_asset" } };
  const histories = [`${asset.id}#assetLifecycle`, `${asset.id}#governanceState`];
  return eventOf("asset.created", asset.id, data, by, requestId, at, [asset.id, ...histories]);
}

export function movedEvent(asset: Asset, move: Move, by: string, requestId: string, at: number): Event {
  const data = {
    changes: [],
    entity: { id: asset.id, name: asset.name, type: "ai_asset" },
    event: move.to === "development" ? "develop" : "validate",
    from: move.from,
    guards: [],
    reason: null,
    to: move.to,
    triggeredBy: "user",
  };
  const streams = [asset.id, `${asset.id}#assetLifecycle`];
  return eventOf("asset.lifecycle.changed", asset.id, data, by, requestId, at, streams, move);
}

function eventOf(
  type: string,
  subject: string,
  body: object,
  by: string,
  requestId: string,
  at: number,
  streams: readonly string[],
  move?: Move,
): Event {
  const id = newId("evt", at);
  const time = new Date(at).toISOString();
  const data = JSON.stringify(body);
  const attributes = JSON.stringify({
    authid: by,
    authtype: "user",
    correlationid: requestId,
    datacontenttype: "application/json",
    datahash: sha256(data),
    ...(move ? { fromstate: move.from } : {}),
    id,
    ...(move ? { machine: "assetLifecycle" } : {}),
    outcome: "success",
    severitynumber: 9,
    severitytext: "INFO",
    source: `/api/v1/ai-assets/${subject}`,
    specversion: "1.0",
    status: "success",
    subject,
    subjecttype: "ai_asset",
    time,
    ...(move ? { tostate: move.to } : {}),
    type: `reeve.${type}.v1`,
  });
  return { id, time, attributes, data, recordHash: sha256(attributes), streams };
}
