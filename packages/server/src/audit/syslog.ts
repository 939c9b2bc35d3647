import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { connect, type TLSSocket } from "node:tls";
import type { AuditSink } from "@reeve/core";
import { type AuditEvent, asAuditEvents } from "./event.js";
import { type LineFormat, recordOf } from "./json-lines.js";

/** Where messages go, and the file of the authorities that its certificate is checked by; those of the system if absent. */
export interface SyslogTarget {
  readonly host: string;
  readonly port: number;
  readonly ca?: string;
}

/** "log audit" of RFC 5424. */
const FACILITY = 13;
const LEVELS = { INFO: 6, WARN: 4, ERROR: 3 } as const;
const PATIENCE_MS = 10_000;

/** Sends each event as a message of RFC 5424 over TLS, framed by its length (RFC 5425). */
export function syslog(target: SyslogTarget, format: LineFormat): AuditSink {
  let open: TLSSocket | undefined;
  return {
    name: `syslog ${target.host}:${target.port}`,
    async take(events, tenantId) {
      const frames = asAuditEvents(events).map((event) => framed(message(event, tenantId, format)));
      open = open && !open.destroyed && open.writable ? open : await connected(target);
      await written(open, Buffer.concat(frames));
    },
  };
}

function message(event: AuditEvent, tenantId: string, format: LineFormat): string {
  const priority = FACILITY * 8 + LEVELS[event.severitytext];
  const data = `[reeve@32473 tenant="${tenantId}" id="${event.id}" sequence="${event.sequence}"]`;
  const body = JSON.stringify(recordOf(event, tenantId, format));
  return `<${priority}>1 ${event.time} ${hostname()} reeve ${process.pid} ${idOf(event.type)} ${data} \ufeff${body}`;
}

/** MSGID holds 32 printable characters at most. */
const idOf = (type: string) => type.replace(/\.v\d+$/, "").slice(-32);

function framed(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${body.length} `), body]);
}

function connected({ host, port, ca }: SyslogTarget): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const trusted = ca === undefined ? {} : { ca: readFileSync(ca) };
    const socket = connect({ host, port, servername: host, timeout: PATIENCE_MS, ...trusted });
    socket.once("secureConnect", () => {
      socket.setTimeout(0);
      // A receiver sends no answer. What it sends is read, so that its end is seen.
      socket.resume();
      socket.on("error", () => socket.destroy());
      resolve(socket);
    });
    socket.once("timeout", () => socket.destroy(new Error("the receiver of syslog does not answer")));
    socket.once("error", reject);
    socket.unref();
  });
}

/** Resolves once the system has taken all bytes. Rejects where the connection ends before. */
function written(socket: TLSSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error?: Error) => reject(error ?? new Error("the receiver of syslog has closed the connection"));
    socket.once("close", failed);
    socket.write(bytes, (error) => {
      socket.off("close", failed);
      if (error) failed(error);
      else resolve();
    });
  });
}
