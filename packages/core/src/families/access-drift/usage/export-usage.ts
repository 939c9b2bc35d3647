import { createHash } from "node:crypto";
import { cursorScope, readWindow, sealCursor } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Position } from "#store/find-query.js";
import { rowOf } from "./export-cells.js";
import { type AccessUse, accessUses } from "./schema.js";

/** What one answer holds at most. */
export const MOST_ROWS = 10_000;
const MOST_BYTES = 8 * 1_024 * 1_024;
const BATCH = 500;

export const FORMATS = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;
export type Format = keyof typeof FORMATS;

/** The columns of a table, which stay. */
export const COLUMNS = [
  ...["id", "at", "assetId", "identityId", "assignmentId", "attribution", "grantKey", "connectorInstanceId"],
  ...["resourceId", "tool", "action", "count", "outcome", "denyCode", "latencyMs", "argsHash", "bytesIn", "bytesOut"],
  ...["sessionId", "tokenId", "traceId", "actors", "source", "externalEventId", "synthetic", "createdAt"],
] as const satisfies readonly (keyof AccessUse)[];

/** Which uses of an asset are exported. */
export interface ExportQuery {
  readonly format: Format;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
}

/** One part of an export. */
export interface ExportPart {
  readonly body: string;
  /** Hash of all bytes before the closing line. */
  readonly sha256: string;
  readonly rows: number;
  readonly next: string | null;
}

/** Uses of an asset, oldest first, as a file that closes with its hash. It goes on with `next`. */
export async function exportUses(ctx: ReadContext, assetId: string, query: ExportQuery): Promise<ExportPart> {
  const { format, from, to, cursor } = query;
  const scope = cursorScope(ctx.db.tenantId, "export of access uses", { assetId, format, from, to });
  const { env, request } = ctx;
  const window = readWindow(cursor === undefined ? {} : { cursor }, scope, env.secretBox, request.nowMs);
  const content = createHash("sha256");
  const parts: string[] = [];
  let [rows, bytes] = [0, 0];
  const add = (text: string) => {
    content.update(text);
    parts.push(text);
    bytes += Buffer.byteLength(text);
  };
  if (format === "csv") add(rowOf(COLUMNS));
  const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { before: to }) };
  const find = { where: { listedFor: assetId }, order: { by: "at", direction: "asc" }, range } as const;
  let after: Position | undefined = window.after;
  do {
    const found = await ctx.db.find(accessUses, { ...find, size: BATCH, ...(after ? { after } : {}) });
    for (const row of found.rows) {
      const use = ctx.derived(accessUses, row);
      add(format === "csv" ? rowOf(COLUMNS.map((name) => use[name])) : `${JSON.stringify(lineOf(use))}\n`);
    }
    rows += found.rows.length;
    after = found.next;
  } while (after && rows < MOST_ROWS && bytes < MOST_BYTES);
  const sha256 = content.digest("hex");
  const next = sealCursor(after, window.page, scope, env.secretBox, request.nowMs);
  const trailer = { format: "reeve-access-uses/1", rows, sha256, complete: next === null, next };
  parts.push(
    format === "csv" ? rowOf(["#trailer", ...Object.entries(trailer).flat()]) : `${JSON.stringify({ trailer })}\n`,
  );
  return { body: parts.join(""), sha256, rows, next };
}

const lineOf = (use: AccessUse) => Object.fromEntries(COLUMNS.map((name) => [name, use[name]]));
