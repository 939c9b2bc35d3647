import { type FileHandle, open } from "node:fs/promises";
import type { AuditSink } from "@reeve/core";
import { type AuditEvent, asAuditEvents, eventText } from "./event.js";
import { ocsfRecord } from "./ocsf.js";

/** The forms of a line. */
export const LINE_FORMATS = ["cloudevents", "ocsf"] as const;
export type LineFormat = (typeof LINE_FORMATS)[number];

/** The text of an event in one of the forms. That of CloudEvents names the tenant before what a line of an export holds. */
export const recordText = (event: AuditEvent, tenantId: string, format: LineFormat): string =>
  format === "ocsf"
    ? JSON.stringify(ocsfRecord(event, tenantId))
    : `{"tenant":${JSON.stringify(tenantId)},${eventText(event).slice(1)}`;

/** Writes each event as a line of JSON to a file, or to standard output for `-`. */
export function jsonLines(path: string, format: LineFormat): AuditSink {
  return {
    name: `json-lines ${path}`,
    async take(events, tenantId) {
      const text = asAuditEvents(events).map((event) => `${recordText(event, tenantId, format)}\n`);
      if (path === "-") await printed(text.join(""));
      else await appended(path, text.join(""));
    },
  };
}

const printed = (text: string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Opened anew each time, so that a file that was rotated away is made again. It is on disk before this resolves. */
async function appended(path: string, text: string): Promise<void> {
  const file = await open(path, "a+", 0o640);
  try {
    await file.appendFile((await isTorn(file)) ? `\n${text}` : text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Whether a file ends within a line, as a full disk or a kill leaves it. Whoever was torn off sends that line again. */
async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return bytesRead === 1 && buffer[0] !== LINE_FEED;
}

const LINE_FEED = 10;
