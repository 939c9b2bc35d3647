import { createHmac } from "node:crypto";
import { eventText } from "#kernel/events/events.js";
import type { StoredEvent } from "#store/event-log.js";

/** A message as it is posted. */
export interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What of an event's attributes messages are about. */
export interface Attributes {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly subject: string;
}

export const attributesOf = ({ attributes }: StoredEvent) => JSON.parse(attributes) as Attributes;

/** An event as a message. Its id is that of the event, also when it is sent again. */
export function messageOf(event: StoredEvent, keys: readonly Buffer[], nowMs: number): Message {
  const { id, type, time } = attributesOf(event);
  const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(time)},"data":${eventText(event)}}`;
  return signed(id, body, keys, nowMs);
}

/** A message by the Standard Webhooks specification 1.0.0, signed by every key that works now. */
export function signed(id: string, body: string, keys: readonly Buffer[], nowMs: number): Message {
  const seconds = Math.floor(nowMs / 1_000).toString();
  const sign = (key: Buffer) => createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": seconds,
      "webhook-signature": keys.map((key) => `v1,${sign(key)}`).join(" "),
    },
  };
}
