import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { connect, type TLSSocket } from "node:tls";
import type { AuditSink } from "@reeve/core";
import { type AuditEvent, asAuditEvents } from "./event.js";
import { type LineFormat, recordText } from "./json-lines.js";

/** Where messages go, and the file of the authorities that its certificate is checked by; those of the system if absent. */
export interface SyslogTarget {
  readonly host: string;
  readonly port: number;
  readonly ca?: string;
}

/** How messages are written. */
export interface MessageForm {
  readonly format: LineFormat;
  /** The private enterprise number that names the structured data. */
  readonly enterprise: number;
}

/** "log audit" of RFC 5424. */
const FACILITY = 13;
const LEVELS = { INFO: 6, WARN: 4, ERROR: 3 } as const;
const PATIENCE_MS = 10_000;

/**
 * Sends each event as a message of RFC 5424 over TLS, framed by its length (RFC 5425). Syslog has no confirmation, so each
 * batch has a connection of its own: a receiver that ends it in turn has read all of it. One that is killed ends it too,
 * so it has to take another connection afterwards.
 */
export function syslog(target: SyslogTarget, form: MessageForm): AuditSink {
  return {
    name: `syslog ${target.host}:${target.port}`,
    async take(events, tenantId) {
      const frames = asAuditEvents(events).map((event) => framed(message(event, tenantId, form)));
      await sent(await connected(target), Buffer.concat(frames));
      (await connected(target)).destroy();
    },
  };
}

function message(event: AuditEvent, tenantId: string, { format, enterprise }: MessageForm): string {
  const priority = FACILITY * 8 + LEVELS[event.severitytext];
  const data = `[reeve@${enterprise} tenant="${tenantId}" id="${event.id}" sequence="${event.sequence}"]`;
  const body = recordText(event, tenantId, format);
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
    const socket = connect({ host, port, servername: host, ...trusted });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("the receiver of syslog does not answer")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/** Resolves once the receiver has ended the connection after all bytes. Rejects where it breaks off. */
function sent(socket: TLSSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    socket.once("error", reject);
    socket.once("end", () => {
      isOver = socket.writableFinished;
    });
    socket.once("close", () =>
      isOver ? resolve() : reject(new Error("the receiver of syslog has broken off the connection")),
    );
    // What a receiver sends is read, so that its end is seen.
    socket.resume();
    socket.end(bytes);
  });
}
