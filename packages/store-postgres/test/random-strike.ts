import type pg from "pg";
import type { Fault, Side, Strike } from "./strike.js";

export interface NamedStrike {
  readonly name: string;
  readonly strike: Strike;
}

/** How many messages the end of a transaction has, about. */
const END = 6;

/**
 * Chooses moments and faults. `admin` is beside the way, and ends what passes it. `nearEnd` is the share of moments that
 * are among the last ones, where a commit is.
 */
export function randomStrikes(random: () => number, admin: pg.Client, nearEnd = 0) {
  const among = <T>(choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T;
  const end = (how: "terminate" | "cancel") => async (port: number) => {
    await admin.query(`select pg_${how}_backend(pid) from pg_stat_activity where client_port = $1`, [port]);
  };
  const faults: readonly (readonly [string, Fault])[] = [
    ["cut", "cut"],
    ["lose", "lose"],
    ["late", "late"],
    ["terminate", end("terminate")],
    ["cancel", end("cancel")],
  ];
  /** `lengths` are the messages of either side to expect. */
  return (lengths: Readonly<Record<Side, number>>): NamedStrike => {
    // A hang costs the time of a deadline.
    const [name, fault] = random() < 0.05 ? (["hang", "hang"] as const) : among(faults);
    const side = among<Side>(["client", "server"]);
    const least = nearEnd > 0 && random() < nearEnd ? Math.max(0, lengths[side] - END) : 0;
    const message = least + Math.floor(random() * (lengths[side] - least));
    return { name, strike: { side, message, place: among([0, random(), 1]), fault } };
  };
}
