import { setTimeout as sleep } from "node:timers/promises";
import { silentLogger } from "@reeve/core/store";
import { expect, it, onTestFinished } from "vitest";
import type { GroupCommit } from "../src/group-commit.js";
import { Maintenance } from "../src/maintenance.js";
import type { Statements } from "../src/statements.js";

it("waits once for the end of a transaction, however often it is asked meanwhile, and again after it", async () => {
  const waiting: (() => void)[] = [];
  const commits = { afterCommit: (work: () => void) => void waiting.push(work) } as unknown as GroupCommit;
  const idle = { read: () => [], db: { pragma: (name: string) => (name === "page_size" ? 4_096 : []) } };
  const statements = idle as unknown as Statements;
  const maintenance = new Maintenance(statements, statements, commits, silentLogger);
  onTestFinished(() => maintenance.stop());
  const ask = async () => {
    maintenance.written(0);
    maintenance.searchWritten(0);
    await sleep(20);
  };
  await ask();
  await ask();
  expect(waiting.length).toBe(2);
  for (const work of waiting.splice(0)) work();
  await ask();
  expect(waiting.length).toBe(2);
});
