import { thing, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { driverOf } from "../src/driver/choose.js";
import { DRIVERS, type DriverName, immediately, type SqliteDatabase } from "../src/driver/driver.js";
import { isBusy, isTaken, storeError } from "../src/errors.js";
import { createSqliteStore } from "../src/index.js";
import { migrations, temporaryFile } from "./support.js";

function loads(name: DriverName): boolean {
  try {
    driverOf(name);
    return true;
  } catch {
    return false;
  }
}

const here = DRIVERS.filter(loads);
const away = DRIVERS.filter((name) => !loads(name));

/** The error of a step. */
function failure(step: () => unknown): unknown {
  try {
    step();
  } catch (error) {
    return error;
  }
  throw new Error("the step did not fail");
}

describe.each(here)("%s", (name) => {
  const driver = driverOf(name);
  function open(file: string): SqliteDatabase {
    const db = driver.open(file, { timeout: 1 });
    onTestFinished(() => void db.close());
    return db;
  }

  it("answers rows, changes and whether a transaction is open as the others do", () => {
    const db = open(temporaryFile());
    db.exec("create table a (id integer primary key, x, y)");
    const insert = db.prepare("insert into a (x, y) values (?, ?)");
    expect(insert.reader).toBe(false);
    expect(insert.run(["one", undefined])).toEqual({ changes: 1, lastInsertRowid: 1 });
    expect(insert.run(2.5, new Uint8Array([1]))).toMatchObject({ changes: 1, lastInsertRowid: 2 });
    const read = db.prepare("select y, x, y from a where id = ?");
    expect([read.reader, read.get(9), read.get([1])]).toEqual([true, undefined, { x: "one", y: null }]);
    expect([read.raw(true).all(1), read.get(9)]).toEqual([[[null, "one", null]], undefined]);
    expect(db.pragma("user_version", { simple: true })).toBe(0);
    expect(db.pragma("table_info(a)")).toHaveLength(3);
    expect(db.inTransaction).toBe(false);
    expect(immediately(db, () => db.inTransaction)).toBe(true);
    const broken = () => {
      insert.run("undone", 1);
      throw new Error("broken off");
    };
    expect(failure(() => immediately(db, broken))).toEqual(new Error("broken off"));
    expect([db.inTransaction, db.prepare("select count(*) as n from a").get()]).toEqual([false, { n: 2 }]);
    db.close();
    db.close();
    expect(db.inTransaction).toBe(false);
  });

  it("tells a taken key, a lock, and what is missing apart", () => {
    const file = temporaryFile();
    const [db, other] = [open(file), open(file)];
    db.exec("create table a (id integer primary key, x unique); insert into a values (1, 1)");
    expect(isTaken(failure(() => db.exec("insert into a values (1, 2)")))).toBe(true);
    expect(isTaken(failure(() => db.exec("insert into a values (2, 1)")))).toBe(true);
    expect(storeError(failure(() => db.prepare("select * from b")))).toMatchObject({ code: "schema" });
    db.exec("begin immediate");
    const busy = failure(() => other.exec("begin immediate"));
    expect([isBusy(busy), isTaken(busy), storeError(busy)]).toMatchObject([true, false, { code: "busy" }]);
    const absent = failure(() => driver.open(`${file}-absent`, { fileMustExist: true }));
    expect(storeError(absent)).toMatchObject({ code: "unavailable" });
  });

  it("opens a store by its name", async () => {
    const store = createSqliteStore({ file: temporaryFile(), migrations, driver: name });
    onTestFinished(() => store.close());
    await store.migrate();
    await store.forTenant("t").insert(things, thing(1));
    expect(await store.forTenant("t").get(things, thing(1).id)).toMatchObject({ id: thing(1).id, version: 1 });
  });
});

it.each(away)("%s is refused where it is not there", (name) => {
  expect(() => createSqliteStore({ file: temporaryFile(), driver: name })).toThrow(
    new RegExp(`^driver: ${name} cannot be loaded here: `),
  );
});

it.runIf(here.includes("better-sqlite3"))(
  "connections are opened by the library of the host's handle, since two copies of SQLite do not see each other's locks",
  async () => {
    const opened: string[] = [];
    class Copy extends Database {
      constructor(file: string, options?: Database.Options) {
        super(file, options);
        opened.push(file);
      }
    }
    const file = temporaryFile();
    const database = new Copy(file);
    onTestFinished(() => void database.close());
    const store = createSqliteStore({ database, migrations });
    await store.migrate();
    await store.reserveQuota("t", [{ key: "k", limit: 1, until: 2, spent: 0, wanted: 1 }], 1);
    await store.close();
    expect(opened).toEqual([file, file, file, `${file}-quotas`]);
    expect(() => createSqliteStore({ database, driver: "better-sqlite3" })).toThrow(
      /^driver: it is that of `database`/,
    );
  },
);
