import pg from "pg";
import { expect, it } from "vitest";
import { connect, emptyDatabase } from "./support.js";

type Heard = readonly [handler: string, message: unknown];

/**
 * What `pipelined-batch.ts` relies on in the driver beyond its documented interface. When this fails after an upgrade
 * of pg, read the changes of its `Connection` and `Client` first.
 */
class Recorder implements pg.Submittable {
  readonly heard: Heard[] = [];
  connection!: pg.Connection;
  heldBack = 0;
  readonly done: Promise<readonly Heard[]>;
  #resolve!: (heard: readonly Heard[]) => void;

  constructor(private readonly texts: readonly string[]) {
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  submit(connection: pg.Connection): void {
    this.connection = connection;
    connection.stream.cork();
    for (const text of this.texts) {
      connection.parse({ name: "", text, types: [] }, true);
      connection.bind({ portal: "", statement: "", binary: "", values: [] as string[] }, true);
      connection.describe({ type: "P", name: "" }, true);
      connection.execute({ portal: "", rows: "" }, true);
    }
    connection.sync();
    this.heldBack = connection.stream.writableLength;
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.heard.push(["rowDescription", fields.map(({ dataTypeID }) => dataTypeID)]);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.heard.push(["dataRow", [...fields]]);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.heard.push(["commandComplete", text]);
  }

  handleReadyForQuery(): void {
    this.heard.push(["readyForQuery", undefined]);
    this.#resolve(this.heard);
  }

  handleError(error: unknown): void {
    this.heard.push(["error", (error as pg.DatabaseError).code]);
    this.#resolve(this.heard);
  }
}

const { INT4, TEXT } = pg.types.builtins;

it("pg lets a query send several statements with one sync, and hands it each answer in order", async () => {
  const client = await connect(await emptyDatabase());
  const query = client.query(new Recorder(["select 1 as a, 'x'::text as b", "select null::int4 as c"]));
  expect(await query.done).toEqual([
    ["rowDescription", [INT4, TEXT]],
    ["dataRow", ["1", "x"]],
    ["commandComplete", "SELECT 1"],
    ["rowDescription", [INT4]],
    ["dataRow", [null]],
    ["commandComplete", "SELECT 1"],
    ["readyForQuery", undefined],
  ]);
});

it("pg writes to a stream that can be corked, so that statements leave in one packet", async () => {
  const client = await connect(await emptyDatabase());
  const query = client.query(new Recorder(["select 1"]));
  await query.done;
  expect(query.heldBack).toBeGreaterThan(0);
  expect(query.connection.stream.writableLength).toBe(0);
});

it("pg reports a failed statement once, runs none behind it, and goes on with the next query", async () => {
  const client = await connect(await emptyDatabase());
  const failing = client.query(new Recorder(["select 1/0", "create table never (a int4)"]));
  const next = client.query(new Recorder(["select to_regclass('never')::text as a"]));
  expect(await failing.done).toEqual([["error", "22012"]]);
  expect(await next.done).toContainEqual(["dataRow", [null]]);
});

it("pg closes a named statement, so that its name can be used for another text", async () => {
  const client = await connect(await emptyDatabase());
  await client.query({ name: "shape", text: "select 1 as a" });
  expect((await client.query("select name from pg_prepared_statements")).rows).toEqual([{ name: "shape" }]);
  await new Promise<void>((handleReadyForQuery) => {
    const submit = (connection: pg.Connection) => {
      connection.close({ type: "S", name: "shape" }, true);
      connection.sync();
    };
    client.query({ submit, handleReadyForQuery } as pg.Submittable);
  });
  expect((await client.query("select name from pg_prepared_statements")).rows).toEqual([]);
});

it("pg tells whether a connection is in a transaction before it answers", async () => {
  const client = await connect(await emptyDatabase());
  let reported = "";
  client.connection.on("readyForQuery", ({ status }: { readonly status: string }) => {
    reported = status;
  });
  const statusAfter = async (text: string) => {
    await client.query(text);
    return reported;
  };
  expect([await statusAfter("select 1"), await statusAfter("begin"), await statusAfter("rollback")]).toEqual([
    "I",
    "T",
    "I",
  ]);
});
