import type { AuditSettings } from "../audit/audit-sinks.js";
import { LINE_FORMATS } from "../audit/json-lines.js";
import type { SyslogTarget } from "../audit/syslog.js";
import { baseUrlOf } from "./base-url.js";
import type { Choice, Read } from "./kinds.js";
import { hostOf, portOf, wholeOf } from "./values.js";

/** The port of syslog over TLS (RFC 5425). */
const SYSLOG_PORT = 6_514;

/** The number that RFC 5612 has for examples. */
const EXAMPLE_ENTERPRISE = 32_473;
const MOST_ENTERPRISES = 2 ** 32 - 1;

/** Where the record goes as well. Each setting is a fault where it cannot be read. */
export function readAudit(read: Read, choice: Choice): AuditSettings {
  const ca = read("REEVE_AUDIT_SYSLOG_CA", "a path of a PEM file", (text) => text);
  const target = read("REEVE_AUDIT_SYSLOG", "tls://<host> or tls://<host>:<port>", syslogOf);
  return {
    file: read("REEVE_AUDIT_FILE", "a path of a file, or - for standard output", (text) => text),
    syslog: target && (ca === undefined ? target : { ...target, ca }),
    enterprise:
      read("REEVE_AUDIT_ENTERPRISE", "a private enterprise number", (text) => wholeOf(text, 1, MOST_ENTERPRISES)) ??
      EXAMPLE_ENTERPRISE,
    otlp: read("REEVE_AUDIT_OTLP", "the http or https URL of a collector's /v1/logs", baseUrlOf, false),
    format: choice("REEVE_AUDIT_FORMAT", LINE_FORMATS) ?? "cloudevents",
  };
}

function syslogOf(text: string): SyslogTarget | undefined {
  const [, name = "", port] = /^tls:\/\/([^:/]+)(?::(\d+))?$/.exec(text) ?? [];
  const [host, at] = [hostOf(name), port === undefined ? SYSLOG_PORT : portOf(port)];
  return host === undefined || at === undefined ? undefined : { host, port: at };
}
