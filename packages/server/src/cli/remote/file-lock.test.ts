import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whileLocked } from "./file-lock.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reeve-lock-"));
  file = join(folder, "profiles.json.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a lock", () => {
  it("lets one work at a time, also after one has failed, and leaves no file", async () => {
    let working = 0;
    const work = async (n: number) => {
      working += 1;
      expect(working).toBe(1);
      await turn();
      working -= 1;
      if (n === 1) throw new Error("failed");
      return n;
    };
    const outcomes = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => whileLocked(file, () => work(n))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([...Array(4).fill("fulfilled"), "rejected"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of a process that was killed is broken", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(file, `${hostname()} ${pid} gone`);
    expect(await whileLocked(file, () => "done")).toBe("done");
    expect(existsSync(file)).toBe(false);
  });

  it("of another machine is broken only when it is old", async () => {
    writeFileSync(file, "elsewhere 1 held");
    const waiting = whileLocked(file, () => "done");
    expect(await Promise.race([waiting, turn("waits")])).toBe("waits");
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(file, old, old);
    expect(await waiting).toBe("done");
  });
});
