import { expect, it } from "vitest";
import type { Asset } from "#families/estate/index.js";
import { Row, type RowVersion } from "#store/row.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import type { EvaluationMark } from "../results/marks.js";
import { Candidate } from "./candidate.js";
import { CurrentMarks } from "./current-marks.js";
import type { Judge } from "./judge.js";

const NOW = "2026-01-05T09:00:00.000Z";
const HOURS_LATER = "2026-01-05T15:00:00.000Z";
const DAY_LATER = "2026-01-06T09:00:00.000Z";
const ID = "ast_1";
const record = { id: ID, version: 3, assetType: "model", status: "active", postureScoredAt: NOW } as unknown as Asset;
const around: RowVersion[] = [{ id: "mdl_1", version: 2, staleAt: null }];
const judges = [{ digest: "a".repeat(64) } as Judge];

const digest = (letter: string) => letter.repeat(64);
const snapshotOf = (rows: readonly RowVersion[], letter = "1") => ({ digest: digest(letter), rows }) as Snapshot;
const at = (now: string) => ({ now, derived: <R>(_: unknown, row: { readonly value: R }) => row.value }) as never;

/** An asset as a run finds it. Without `text` it fails when it is parsed. */
function found(now: string, { version = 3, staleAt = null as string | null, text = "not parsed" } = {}) {
  return new Candidate(at(now), new Row<Asset>("ten_1", ID, version, text, staleAt), mark);
}
const marksNow = (now: string, snapshot: Snapshot) => new CurrentMarks(at(now), judges, new Map([[ID, snapshot]]));
const settledAt = (now: string, candidate: Candidate, snapshot = snapshotOf(around)) =>
  marksNow(now, snapshot).settled([candidate]).get(ID);

const mark = {
  id: ID,
  pairs: 1,
  ...marksNow(NOW, snapshotOf(around)).of(new Candidate(at(NOW), Row.of("ten_1", record, null), undefined)),
} as EvaluationMark;
const text = JSON.stringify(record);

it("an asset that is read from the rows of its mark is settled without being parsed", () => {
  const same = found(HOURS_LATER);
  expect([same.assetType, same.isAlive]).toEqual(["model", true]);
  expect(settledAt(HOURS_LATER, same)).toBe("same rows");
});

it("one that is read from other rows is settled by its values", () => {
  const others = [{ id: "mdl_1", version: 3, staleAt: null }];
  expect(() => settledAt(HOURS_LATER, found(HOURS_LATER, { version: 4 }))).toThrow(SyntaxError);
  expect(settledAt(HOURS_LATER, found(HOURS_LATER, { version: 4, text }))).toBe("same values");
  expect(settledAt(HOURS_LATER, found(HOURS_LATER, { text }), snapshotOf(others))).toBe("same values");
  expect(settledAt(HOURS_LATER, found(HOURS_LATER, { text }), snapshotOf(others, "2"))).toBeUndefined();
});

it("a row that time has changed since is another one", () => {
  const aging = { id: "mdl_1", version: 2, staleAt: HOURS_LATER };
  expect(settledAt(NOW, found(NOW, { text }), snapshotOf([aging]))).toBe("same rows");
  expect(settledAt(HOURS_LATER, found(HOURS_LATER, { text }), snapshotOf([aging]))).toBe("same values");
  expect(settledAt(HOURS_LATER, found(HOURS_LATER, { text, staleAt: HOURS_LATER }))).toBe("same values");
  expect(settledAt(HOURS_LATER, found(HOURS_LATER, { text, staleAt: HOURS_LATER }), snapshotOf(around, "2"))).toBe(
    undefined,
  );
});

it("nothing is settled whose score is due anew, or that other judges look at", () => {
  expect(settledAt(DAY_LATER, found(DAY_LATER))).toBeUndefined();
  expect(settledAt(DAY_LATER, found(DAY_LATER, { version: 4, text }))).toBeUndefined();
  const others = new CurrentMarks(at(NOW), [{ digest: "b".repeat(64) } as Judge], new Map([[ID, snapshotOf(around)]]));
  expect(others.settled([found(NOW)]).size).toBe(0);
});
