import type { User } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Notice } from "../schema.js";

/** Something that people are told of, as it stands now, and those people. */
export interface Matter
  extends Pick<Notice, "kind" | "key" | "name" | "matter" | "subject" | "assetId" | "page" | "dueAt"> {
  readonly people: readonly User[];
}

/**
 * Finds what people are to be told of these records now. Notices of what it finds no more are over. It gets some tens of
 * ids at a time, of records of every kind, and reads them together.
 */
export type MatterSource = (ctx: ReadContext, ids: readonly string[]) => Promise<readonly Matter[]>;
