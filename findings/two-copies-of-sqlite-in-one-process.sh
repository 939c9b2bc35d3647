#!/usr/bin/env bash
# libsql 0.5.22 beside node:sqlite of Node 24.21.0: reading a file with one library ends the write lock that the other
# holds on it, and another process's committed write is lost.
#
# Both libraries have an SQLite of their own. SQLite locks by fcntl, whose locks belong to the process and end when any
# descriptor of the file is closed. One copy of SQLite takes care of that among its own connections (sqlite.org,
# howtocorrupt.html, "Multiple copies of SQLite linked into the same application"); two copies do not know of each other.
# One would expect that a read through a second library, such as that of an ORM, cannot touch a transaction of the first.
# Seen, with the journal in WAL mode: a transaction is open in node:sqlite; the file is read and closed through a second
# handle; another process tries to write 100 more; the transaction commits 10 more. No call but the refused one fails.
#   second handle of node:sqlite: the other process is refused ("database is locked"), n = 11
#   second handle of libsql:      the other process's write is acknowledged,           n = 11: its 100 are gone
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libsql@0.5.22 node@24.21.0
cat >run.mjs <<'JS'
import { spawnSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import Libsql from "libsql";

const writer = `const { DatabaseSync } = require("node:sqlite");
try {
  new DatabaseSync(process.argv[1]).exec("begin immediate; update t set n = n + 100; commit");
  console.log("acknowledged");
} catch (error) {
  console.log(error.message);
}`;
for (const [name, Handle] of Object.entries({ "node:sqlite": DatabaseSync, libsql: Libsql })) {
  const file = `${name.replace(":", "-")}.sqlite`;
  const holder = new DatabaseSync(file);
  holder.exec("pragma journal_mode = wal; create table t (n); insert into t values (1)");
  holder.exec("begin immediate; update t set n = n + 10");
  const second = new Handle(file);
  second.prepare("select n from t").all();
  second.close();
  const other = spawnSync(process.execPath, ["--no-warnings", "-e", writer, file]).stdout.toString().trim();
  holder.exec("commit");
  console.log(`${name}: ${other}, n = ${new DatabaseSync(file).prepare("select n from t").get().n}`);
}
JS
seen=$(node_modules/node/bin/node --no-warnings run.mjs)
echo "libsql 0.5.22, Node 24.21.0"
echo "$seen"
[ "$seen" = "node:sqlite: database is locked, n = 11
libsql: acknowledged, n = 11" ]
