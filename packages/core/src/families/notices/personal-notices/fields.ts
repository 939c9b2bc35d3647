import { z } from "#schema/z.js";

/** The kinds of notices, by which people say what they want to hear of, each with what it tells of. */
export const NOTICE_KINDS = {
  waiting: "Something waits that the person may decide, or that is assigned to the person.",
  overdue: "It is overdue.",
  escalated: "It has waited for long, and somebody else is asked to see to it.",
  asset_found: "A discovery or an import found an asset that the person owns.",
  asset_suspended: "An asset that the person owns was suspended.",
  approval_ending: "The approval of an asset that the person owns ends within a week.",
  critical_finding: "An asset that the person owns has a critical finding.",
  access_drift: "The access of an asset that the person owns differs from what was granted.",
  server_changed: "An MCP server that the person owns offers something else than was approved.",
  halt: "An emergency stop is in force.",
} as const;
export type NoticeKind = keyof typeof NOTICE_KINDS;
export const KINDS = Object.keys(NOTICE_KINDS) as [NoticeKind, ...NoticeKind[]];

/** The kinds that working hours do not hold back. */
export const URGENT: ReadonlySet<NoticeKind> = new Set<NoticeKind>(["critical_finding", "halt"]);

export const Kind = z.enum(KINDS).meta({ description: "What it tells of." });
