import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "../../failure.js";
import { makeFolder } from "../../service/make-folder.js";
import { whileLocked } from "./file-lock.js";

/** A sign-in at a server. */
export interface Profile {
  readonly server: string;
  readonly username: string;
  readonly token: string;
  readonly expiresAt: string | null;
  readonly refreshToken: string | null;
  readonly refreshExpiresAt: string | null;
}

interface Kept {
  /** The profile of commands that name none. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The sign-ins of one user of this machine, in a file that this user alone can read. */
export class Profiles {
  readonly file: string;

  constructor(env: NodeJS.ProcessEnv) {
    // A relative one is to be ignored, as the specification of these folders says.
    const base = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join(env.HOME || homedir(), ".config");
    this.file = join(base, "reeve", "profiles.json");
  }

  read(): Kept {
    if (!existsSync(this.file)) return { current: "default", profiles: {} };
    if ((statSync(this.file).mode & 0o077) !== 0)
      throw new Failure(`others can read ${this.file}; take that back by chmod 600, and sign in anew`);
    try {
      const { current, profiles } = JSON.parse(readFileSync(this.file, "utf8")) as Kept;
      return { current: String(current), profiles: Object(profiles) };
    } catch {
      throw new Failure(`${this.file} cannot be read; move it away, and sign in anew`);
    }
  }

  find(name: string): Profile | undefined {
    const { profiles } = this.read();
    return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  }

  /** Works while no other command changes the profiles. Change them in it only. */
  whileLocked<T>(work: () => T | Promise<T>): Promise<T> {
    return whileLocked(`${this.file}.lock`, work);
  }

  /** Keeps a profile, which becomes that of commands that name none where `isCurrent`. */
  keep(name: string, profile: Profile, isCurrent = false): void {
    const { current, profiles } = this.read();
    this.#write({ current: isCurrent ? checkedName(name) : current, profiles: { ...profiles, [name]: profile } });
  }

  remove(name: string): void {
    const { current, profiles } = this.read();
    const { [name]: _, ...others } = profiles;
    this.#write({ current: current === name ? (Object.keys(others)[0] ?? "default") : current, profiles: others });
  }

  choose(name: string): void {
    this.#write({ ...this.read(), current: name });
  }

  #write(kept: Kept): void {
    const half = `${this.file}.${process.pid}.part`;
    try {
      makeFolder(dirname(this.file));
      writeFileSync(half, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
      chmodSync(half, 0o600);
      renameSync(half, this.file);
    } catch (error) {
      throw new Failure(`${this.file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
}

/** Throws a `Failure` for what is no name of a profile. */
export function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Failure("a profile has a name of at most 64 letters, digits, dots, dashes and underscores");
}
