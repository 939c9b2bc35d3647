import { rmSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { sha256, type Transaction } from "@reeve/core/store";
import { SqlTransaction } from "@reeve/store-sql";
import { event, manyThings, thing, things } from "@reeve/testkit";
import type Database from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SqliteAccess } from "../src/access.js";
import { openConnection } from "../src/connection.js";
import { anyDriver } from "../src/driver/choose.js";
import { GroupCommit } from "../src/group-commit.js";
import { PromptKinds } from "../src/prompt-kinds.js";
import { Statements } from "../src/statements.js";
import { SqliteUnit } from "../src/unit.js";
import { openStore } from "./support.js";

/** Transactions like the store's, on a connection that counts commits. */
async function counted(besideHost = false) {
  const { store, file } = await openStore();
  const db = openConnection(anyDriver(), { file, synchronous: "FULL" });
  onTestFinished(() => void db.close());
  const statements = new Statements(db);
  const lease = new GroupCommit(statements, 5_000, besideHost);
  const outside = new SqliteAccess((read) => read(statements));
  const kinds = new PromptKinds();
  let commits = 0;
  const run = async (work: (tx: Transaction) => Promise<unknown>, kind?: string) => {
    const unit = new SqliteUnit(lease, outside, kinds, kind);
    try {
      await work(new SqlTransaction("t", unit));
      await unit.commit();
    } finally {
      await unit.end();
    }
  };
  const commit = statements.of("commit");
  const counting = {
    run() {
      commits += 1;
      return commit.run();
    },
  } as unknown as Database.Statement;
  const of = statements.of.bind(statements);
  statements.of = (sql) => (sql === "commit" ? counting : of(sql));
  return { tenant: store.forTenant("t"), file, db, run, seat: lease, commits: () => commits };
}

/** Work that reads before it writes. */
const readFirst = (at: number) => async (tx: Transaction) => {
  await tx.count(things);
  await tx.insert(things, thing(at));
  await tx.append(event(at));
};

const writeOnly = (at: number) => async (tx: Transaction) => {
  await tx.insert(things, thing(at));
  await tx.append(event(at));
};

/** Time stands still unless it is moved, so that slow turns are not taken for waiting. */
function stopped() {
  let now = 1_000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms: number) => {
    now += ms;
  };
}

it("commits what comes in together at once, whether it only writes or is of a kind that reads and is soon done", async () => {
  stopped();
  const { tenant, run, commits } = await counted();
  await run(readFirst(0), "prompt");
  const works = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0 ? run(readFirst(at + 1), "prompt") : run(writeOnly(at + 1)),
  );
  await Promise.all(works);
  expect(commits()).toBe(2);
  expect((await tenant.count(things)).count).toBe(21);
  const events = await tenant.scanEvents({ size: 99 });
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
});

describe("work that arrives in one turn of the event loop after the other", () => {
  it("is committed together, once no more arrives", async () => {
    stopped();
    const { tenant, run, commits } = await counted();
    const works: Promise<void>[] = [];
    for (let at = 0; at < 10; at++) {
      works.push(run(writeOnly(at)));
      await turn();
    }
    expect(commits()).toBe(0);
    await Promise.all(works);
    expect([commits(), (await tenant.count(things)).count]).toEqual([1, 10]);
  });

  it("does not keep the first waiting for long", async () => {
    const pass = stopped();
    const { run } = await counted();
    let answered = false;
    const first = run(writeOnly(0)).then(() => {
      answered = true;
    });
    const works = [first];
    for (let at = 1; !answered && at < 40; at++) {
      works.push(run(writeOnly(at)));
      pass(10);
      await turn();
    }
    expect(answered).toBe(true);
    await Promise.all(works);
  });
});

/** Work that holds the seat until something has happened. */
const slow = (at: number, until: Promise<unknown>) => async (tx: Transaction) => {
  await tx.count(things);
  await until;
  await tx.insert(things, thing(at));
};

it.each([
  ["of no kind", undefined],
  ["of a kind that was not seen before", "new"],
  ["of a kind whose last run took its time", "slow"],
])("K13 commits what is finished before work %s takes the seat", async (_, kind) => {
  const { tenant, run, commits, db } = await counted();
  await run(readFirst(1), "slow");
  await run(slow(2, turn().then(turn).then(turn)), "slow");
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const finished = run(writeOnly(3));
  while (!db.inTransaction) await Promise.resolve();
  const seated = run(slow(4, ended), kind);
  await finished;
  expect(commits()).toBe(3);
  expect((await tenant.count(things)).count).toBe(3);
  end();
  await seated;
  expect((await tenant.count(things)).count).toBe(4);
});

it("tells nobody before the commit, and shows nothing before it either", async () => {
  const { tenant, run, commits } = await counted();
  let reported = false;
  const writing = run((tx) => tx.insert(things, thing(1))).then(() => {
    reported = true;
  });
  await Promise.resolve();
  while (commits() === 0) {
    expect([reported, (await tenant.count(things)).count]).toEqual([false, 0]);
    await turn();
  }
  await writing;
  expect((await tenant.count(things)).count).toBe(1);
});

describe("on the file of a host's handle", () => {
  it("commits as soon as no unit is at work, and units that are there already together", async () => {
    const { tenant, run, commits, db } = await counted(true);
    let open = 0;
    const ended = new AbortController();
    const watch = () => {
      if (db.inTransaction) open += 1;
      if (!ended.signal.aborted) setImmediate(watch);
    };
    watch();
    await run(readFirst(0), "prompt");
    expect(commits()).toBe(1);
    const works = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0 ? run(readFirst(at + 1), "prompt") : run(writeOnly(at + 1)),
    );
    await Promise.all(works);
    ended.abort();
    expect([open, commits()]).toEqual([0, 2]);
    expect((await tenant.count(things)).count).toBe(21);
  });

  it("holds the lock in no turn in which a caller goes on, whether it waits for its answer, has it or is refused", async () => {
    const { run, db } = await counted(true);
    const refuse = async (tx: Transaction) => {
      await tx.count(things);
      throw new Error("no");
    };
    let held = 0;
    /** What a handler does in several steps of one turn. */
    const goOn = async () => {
      for (let left = 100; left > 0; left--) {
        if (db.inTransaction) held += 1;
        await Promise.resolve();
      }
    };
    const handle = async (kind: string, work: (tx: Transaction) => Promise<unknown>) => {
      await Promise.all([run(work, kind).catch(() => undefined), goOn()]);
      await goOn();
    };
    // More than one commit takes, so that some are answered while others wait for the lock.
    for (let round = 0; round < 2; round++) {
      const writers = Array.from({ length: 70 }, (_, at) => handle("write", writeOnly(100 * round + at)));
      const readers = Array.from({ length: 9 }, (_, at) => handle("read", readFirst(100 * round + 80 + at)));
      await Promise.all([handle("refuse", refuse), ...writers, handle("refuse", refuse), ...readers]);
    }
    expect(held).toBe(0);
  });

  it("lets the event loop turn beside a loop of calls that never waits for anything else", async () => {
    const { run } = await counted(true);
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    let at = 0;
    while (!turned && at < 1_000) await run(writeOnly(at++));
    expect(turned).toBe(true);
  });
});

it("undoes one of a group and keeps the others", async () => {
  const { tenant, run, commits } = await counted();
  await run(readFirst(0), "prompt");
  const outcomes = await Promise.allSettled([
    run(readFirst(1), "prompt"),
    run(async (tx) => {
      await tx.insert(things, thing(2));
      await tx.count(things);
      throw new Error("no");
    }, "prompt"),
    run((tx) => tx.insert(things, thing(1))),
    run(async (tx) => {
      expect((await tx.count(things)).count).toBe(2);
      await tx.insert(things, thing(3));
    }, "prompt"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(commits()).toBe(2);
  const ids = (await tenant.scan(things, { size: 9 })).map((row) => row.id).toSorted();
  expect(ids).toEqual([thing(0).id, thing(1).id, thing(3).id]);
});

it("tells of a taken key only when its holder can be seen", async () => {
  const { tenant, run } = await counted();
  const writing = run((tx) => tx.insert(things, thing(1, { slug: "taken" })));
  const refused = await run((tx) => tx.insert(things, thing(2, { slug: "taken" }))).catch((error) => error);
  expect(refused).toMatchObject({ code: "duplicate" });
  expect((await tenant.lookup(things, "slug", { slug: "taken" }))?.id).toBe(thing(1).id);
  await writing;
});

it("tells of no taken key whose holder could not be committed", async () => {
  const { run, file } = await counted();
  const outcomes = Promise.allSettled([1, 2].map((n) => run((tx) => tx.insert(things, thing(n, { slug: "taken" })))));
  rmSync(file);
  const codes = (await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason.code);
  expect(codes).toEqual(["unavailable", "unavailable"]);
});

it("undoes the first of a group when nobody else is in it, and lets the next begin anew", async () => {
  const { tenant, run } = await counted();
  const failed = run(async (tx) => {
    await tx.count(things);
    await tx.insert(things, thing(1));
    throw new Error("no");
  });
  const kept = run((tx) => tx.insert(things, thing(2)));
  await expect(failed).rejects.toThrow("no");
  await kept;
  expect((await tenant.scan(things, { size: 9 })).map((row) => row.id)).toEqual([thing(2).id]);
});

it("refuses the whole group when the disk fills up, and none of it is stored", async () => {
  const { tenant, run, db } = await counted();
  db.pragma(`max_page_count = ${db.pragma("page_count", { simple: true })}`);
  const long = Array.from({ length: 400 }, (_, n) => sha256(String(n))).join("");
  const large = manyThings(40, (n) => ({ id: thing(n + 9).id, extra: long }));
  const outcomes = await Promise.allSettled([
    run((tx) => tx.insert(things, thing(1))),
    run((tx) => tx.insertMany(things, large)),
  ]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual(["full", "full"]);
  expect((await tenant.count(things)).count).toBe(0);
  db.pragma("max_page_count = 1000000");
  await run((tx) => tx.insert(things, thing(1)));
  expect((await tenant.count(things)).count).toBe(1);
});

it("commits what waits before anything that wants no transaction open", async () => {
  const { run, seat: lease, db, tenant } = await counted();
  const writing = run(async (tx) => {
    await tx.count(things);
    await tx.insert(things, thing(1));
  });
  const seen = await lease.alone(async () => [db.inTransaction, (await tenant.count(things)).count]);
  expect(seen).toEqual([false, 1]);
  await writing;
});

it("lets others read between many writes of a commit, and shows none of them before it", async () => {
  const { tenant, run, commits } = await counted();
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
  onTestFinished(() => clock.mockRestore());
  let isOver = false;
  const writing = run((tx) => tx.insertMany(things, manyThings(100))).finally(() => {
    isOver = true;
  });
  const counts: number[] = [];
  for (; !isOver; await turn()) counts.push((await tenant.count(things)).count);
  await writing;
  expect(commits()).toBe(1);
  expect(counts.length).toBeGreaterThan(100);
  expect(new Set(counts.slice(0, 100))).toEqual(new Set([0]));
  expect((await tenant.count(things)).count).toBe(100);
});

it("lets what wants no transaction open wait for the end of a group, and ends none early for it", async () => {
  stopped();
  const { run, commits, seat, db } = await counted();
  await run(readFirst(0), "prompt");
  const seen: [commits: number, inTransaction: boolean][] = [];
  const ask = async (tx: Transaction) => {
    await tx.count(things);
    expect(db.inTransaction).toBe(true);
    seat.afterCommit(() => void seen.push([commits(), db.inTransaction]));
  };
  const asking = run(async (tx) => {
    await ask(tx);
    await tx.insert(things, thing(1));
  }, "prompt");
  const works = [2, 3, 4].map((at) => run(writeOnly(at)));
  await Promise.all([asking, ...works]);
  expect(seen).toEqual([[2, false]]);
  const refused = run(async (tx) => {
    await ask(tx);
    throw new Error("refused");
  });
  await expect(refused).rejects.toThrow("refused");
  expect(seen).toEqual([
    [2, false],
    [2, false],
  ]);
});

it("commits large groups in parts", async () => {
  stopped();
  const { tenant, run, commits } = await counted();
  await Promise.all(Array.from({ length: 200 }, (_, at) => run((tx) => tx.insert(things, thing(at)))));
  expect(commits()).toBe(4);
  expect((await tenant.count(things)).count).toBe(200);
});
