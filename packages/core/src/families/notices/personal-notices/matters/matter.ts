import type { User } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Notice } from "../schema.js";

/** Who stands in for somebody who is away. */
export type StandIns = (userId: string) => readonly string[];

/** Something that people are told of, as it stands now, and those people. */
export interface Matter
  extends Pick<Notice, "kind" | "key" | "name" | "matter" | "subject" | "assetId" | "page" | "dueAt"> {
  readonly people: readonly User[];
  /** The one whose matter it is, where others of them stand in for that one. */
  readonly whose?: string | undefined;
}

/** What a source looks at. */
export interface Asked {
  readonly ctx: ReadContext;
  /** Ids of records of every kind, some tens at a time. */
  readonly ids: readonly string[];
  readonly standIns: StandIns;
}

/** Finds what people are to be told of some records now. Notices of what it finds no more are over. */
export type MatterSource = (asked: Asked) => Promise<readonly Matter[]>;
