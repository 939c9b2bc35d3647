import type { AuditSink } from "@reeve/core";
import { jsonLines, type LineFormat } from "./json-lines.js";
import { otlpLogs } from "./otlp-logs.js";
import { type SyslogTarget, syslog } from "./syslog.js";

/** Where the record of all tenants goes. */
export interface AuditSettings {
  /** Path of a file, or `-` for standard output. */
  readonly file: string | undefined;
  readonly syslog: SyslogTarget | undefined;
  /** The private enterprise number by which messages of syslog name their structured data. */
  readonly enterprise: number;
  /** Address of a collector's `/v1/logs`. */
  readonly otlp: string | undefined;
  readonly format: LineFormat;
}

/** The sinks that settings ask for. */
export const auditSinks = ({ file, syslog: target, enterprise, otlp, format }: AuditSettings): readonly AuditSink[] => [
  ...(file === undefined ? [] : [jsonLines(file, format)]),
  ...(target === undefined ? [] : [syslog(target, { format, enterprise })]),
  ...(otlp === undefined ? [] : [otlpLogs(otlp)]),
];
