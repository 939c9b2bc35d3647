import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, it } from "vitest";
import { storeOf } from "#kernel/config/store-access.js";
import { storeAt } from "../helpers/address.js";
import { emptyDatabase } from "../helpers/stores.js";
import { openAll, storeSecrets, vaultBench } from "../helpers/vault-bench.js";

const [first, second] = [randomBytes(32), randomBytes(32)];
const T = "tnt_alpha";
const SECRETS = 10_000;
const KILLS = inject("isQuick") ? 8 : 20;
const program = inject("programs")["packages/core/test/helpers/rotation-process.ts"];

it(`rotates ${SECRETS} secrets while being killed ${KILLS} times, and loses none`, { timeout: 240_000 }, async () => {
  const address = await emptyDatabase("sqlite");
  const keys = { 1: first.toString("base64"), 2: second.toString("base64") };
  const seeding = vaultBench(storeAt(address), first);
  await storeSecrets(seeding, T, SECRETS);
  const [old] = [...(await openAll(seeding, T)).keys];
  await storeOf(seeding).close();
  const setting = JSON.stringify({ address, tenantId: T, masterKeys: { current: 2, keys } });
  const run = async (killAfter: number | undefined) => {
    const child = spawn(process.execPath, [program, setting], {
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    if (killAfter !== undefined) await Promise.race([sleep(killAfter), ended]);
    if (killAfter !== undefined) child.kill("SIGKILL");
    return ended;
  };
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const [, signal] = await run(5 + (kill * 240) / KILLS);
    if (signal === "SIGKILL") interrupted += 1;
  }
  expect(interrupted).toBeGreaterThan(KILLS / 4);
  expect(await run(undefined)).toEqual([0, null]);
  const after = vaultBench(storeAt(address), { current: 2, keys: { 2: keys[2] } });
  const { opened, keys: sealers } = await openAll(after, T);
  expect([opened, sealers.size, sealers.has(old as string)]).toEqual([SECRETS, 1, false]);
  await storeOf(after).close();
  if (address.kind === "sqlite") expect(readFileSync(address.file).includes("secret of key_")).toBe(false);
});
