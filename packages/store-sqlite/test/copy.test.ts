import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { copySqlite } from "../src/index.js";
import { temporaryFile } from "./support.js";

/** More than two steps of a copy. */
const BYTES = 20_000_000;

it("K6 a copy ends though somebody writes between any two of its steps, and is as it began", async () => {
  const file = temporaryFile();
  const writer = new Database(file);
  onTestFinished(() => void writer.close());
  writer.pragma("journal_mode = WAL");
  writer.exec("create table notes (n integer primary key, text blob)");
  const write = writer.prepare("insert into notes (text) values (zeroblob(?))");
  write.run(BYTES);
  let steps = 0;
  await copySqlite(file, `${file}.copy`, () => {
    steps += 1;
    if (steps > 20) throw new Error("the copy begins again and again");
    write.run(10);
  });
  expect(steps).toBeGreaterThan(2);
  const copy = new Database(`${file}.copy`, { readonly: true });
  onTestFinished(() => void copy.close());
  expect(copy.prepare("select count(*) from notes").pluck().get()).toBe(1);
});
