import { open } from "node:fs/promises";
import type { AuditSink } from "@reeve/core";
import { type AuditEvent, asAuditEvents } from "./event.js";
import { ocsfRecord } from "./ocsf.js";

/** The forms of a line. */
export const LINE_FORMATS = ["cloudevents", "ocsf"] as const;
export type LineFormat = (typeof LINE_FORMATS)[number];

/** A record of an event in one of the forms. That of CloudEvents names the tenant beside what every event has. */
export const recordOf = (event: AuditEvent, tenantId: string, format: LineFormat): object =>
  format === "ocsf" ? ocsfRecord(event, tenantId) : { tenant: tenantId, ...event };

/** Writes each event as a line of JSON to a file, or to standard output for `-`. */
export function jsonLines(path: string, format: LineFormat): AuditSink {
  return {
    name: `json-lines ${path}`,
    async take(events, tenantId) {
      const records = asAuditEvents(events).map((event) => recordOf(event, tenantId, format));
      const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
      if (path === "-") await printed(text);
      else await appended(path, text);
    },
  };
}

const printed = (text: string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Opened anew each time, so that a file that was rotated away is made again. It is on disk before this resolves. */
async function appended(path: string, text: string): Promise<void> {
  const file = await open(path, "a", 0o640);
  try {
    await file.appendFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}
