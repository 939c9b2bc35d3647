import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { workedCopy } from "../src/cli/verified-copy.js";
import { readSettings, type Settings } from "../src/settings/settings.js";

/** The driver is a dependency of the store alone. */
const Database = createRequire(new URL("../../store-sqlite/package.json", import.meta.url))("better-sqlite3");

it("a copy is for its owner alone from its first byte, whatever was in its place", async () => {
  const directory = mkdtempSync(join(tmpdir(), "reeve-copy-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [from, to] = [join(directory, "from"), join(directory, "to")];
  const source = new Database(from);
  source.exec("create table notes (text); insert into notes values ('secret')");
  source.close();
  const part = `${to}.${process.pid}.part`;
  writeFileSync(part, "of a copy that was broken off", { mode: 0o644 });
  const modes: number[] = [];
  const note = () => void modes.push(statSync(part).mode & 0o777);
  const settings = readSettings({ REEVE_MASTER_KEY: randomBytes(32).toString("base64") }) as Settings;
  await workedCopy(settings, { from, to, onProgress: note }, async () => note());
  expect(modes.length).toBeGreaterThan(1);
  expect([...modes, statSync(to).mode & 0o777].every((mode) => mode === 0o600)).toBe(true);
  const copy = new Database(to, { readonly: true });
  expect(copy.prepare("select text from notes").pluck().get()).toBe("secret");
  copy.close();
});
