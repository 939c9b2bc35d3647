import type { Question } from "./backend.js";

/** What a guard puts into each question. */
export interface Asker {
  readonly agent: string;
  readonly server?: string | undefined;
  readonly session?: string | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/** Arguments as JSON, to which decision and approval are bound. Throws `TypeError` for what JSON cannot carry. */
export function jsonOf(args: unknown): string {
  const text = JSON.stringify(args ?? {}, faithful);
  if (text === undefined) throw new TypeError("JSON cannot carry the arguments.");
  return text;
}

/** Reeve would decide about something else than the tool gets, if JSON left a part out or changed it. */
function faithful(_name: string, value: unknown): unknown {
  const isKept =
    typeof value === "object"
      ? value === null || Array.isArray(value) || isRecord(value)
      : ["string", "boolean", "undefined"].includes(typeof value) || Number.isFinite(value);
  if (!isKept) throw new TypeError("JSON cannot carry the arguments.");
  return value;
}

function isRecord(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The question about one call, in the form that hooks of coding agents ask too. */
export function questionOf(asker: Asker, tool: string, args: string, approvalId: string | undefined): Question {
  const { agent, server, session, context } = asker;
  return {
    subject: { type: "agent", id: agent },
    action: { name: "tools/call", properties: { tool, arguments: JSON.parse(args) as unknown } },
    resource: { type: "tool", id: tool, ...(server === undefined ? {} : { properties: { server } }) },
    context: {
      ...context,
      ...(session === undefined ? {} : { sessionId: session }),
      ...(approvalId === undefined ? {} : { approvalId }),
    },
  };
}
