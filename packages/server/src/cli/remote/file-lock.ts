import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../failure.js";
import { makeFolder } from "../../service/make-folder.js";

/** How long a command waits for others. */
const LONGEST_WAIT_MS = 60_000;
/** A lock that is older is broken, whoever made it: no command holds one for so long. */
const STALE_MS = 600_000;
const BETWEEN_LOOKS_MS = 50;

/** Works while no other command does so under this lock. Throws a `Failure` when others hold it for a minute. */
export async function whileLocked<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  const mine = `${hostname()} ${process.pid} ${crypto.randomUUID()}`;
  const until = Date.now() + LONGEST_WAIT_MS;
  while (!isTaken(file, mine)) {
    breakStale(file);
    if (Date.now() > until) throw new Failure(`${file} is held by another command; remove it when none runs`);
    await pause(BETWEEN_LOOKS_MS);
  }
  try {
    return await work();
  } finally {
    if (holderOf(file) === mine) rmSync(file, { force: true });
  }
}

/** Takes the lock, which is there with its holder or not at all. */
function isTaken(file: string, mine: string): boolean {
  const half = `${file}.${process.pid}.part`;
  try {
    makeFolder(dirname(file));
    writeFileSync(half, mine, { mode: 0o600 });
    linkSync(half, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw new Failure(`${file} cannot be written: ${code}`);
  } finally {
    rmSync(half, { force: true });
  }
}

/** Takes away the lock of a command that was killed. One that another command has made meanwhile is put back. */
function breakStale(file: string): void {
  const holder = holderOf(file);
  if (holder === undefined || (mayRun(holder) && !isOld(file))) return;
  const taken = `${file}.${process.pid}.broken`;
  try {
    renameSync(file, taken);
    if (holderOf(taken) !== holder) linkSync(taken, file);
  } catch {
    // Another command was first.
  } finally {
    rmSync(taken, { force: true });
  }
}

function holderOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const isOld = (file: string) =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > STALE_MS;

/** Whether the process of a lock may still run: one of another machine, or container, cannot be asked. */
function mayRun(holder: string): boolean {
  const [host, pid] = holder.split(" ");
  if (host !== hostname()) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
