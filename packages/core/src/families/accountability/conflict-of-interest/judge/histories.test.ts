import { describe, expect, it } from "vitest";
import { type InvolvedParties, NONE_INVOLVED, withInvolved } from "#kernel/records/involved.js";
import { accountMade, credentialGiven, type Facts, machineMade, ownerNamed, rolesGiven } from "../../origins/rules.js";
import { judgeDecider } from "../rules.js";

/** How many histories run. `REEVE_HISTORIES=200000` runs the long campaign. */
const HISTORIES = Number(process.env.REEVE_HISTORIES ?? 5_000);
const MOVES = 24;

/** The same numbers for the same seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One human with a first account that somebody else invited, a tenant with honest people, and one matter. */
class History {
  readonly known = new Map<string, Facts>([
    ["founder", accountMade(null, true)],
    ["colleague", accountMade("founder", false)],
    ["first", accountMade("founder", false)],
  ]);
  /** Accounts of the human: the first, and all whose password the human set. */
  readonly accounts = ["first"];
  readonly machines: string[] = [];
  involved: InvolvedParties = NONE_INVOLVED;
  readonly reported: string[] = [];

  constructor(readonly below: (most: number) => number) {}

  pick(from: readonly string[]): string {
    return from[this.below(from.length)] as string;
  }
  /** Whoever the human can act as. */
  actor(): string {
    return this.pick([...this.accounts, ...this.machines]);
  }
  change(id: string, next: (facts: Facts) => Facts): void {
    this.known.set(id, next(this.known.get(id) as Facts));
  }

  readonly moves: readonly (() => string)[] = [
    () => {
      const [id, by] = [`account${this.accounts.length}`, this.pick(this.accounts)];
      this.known.set(id, accountMade(by, true));
      this.accounts.push(id);
      return `${by} makes ${id} with a password`;
    },
    () => {
      const [id, by] = [this.pick(this.accounts), this.pick([...this.accounts, "founder", "colleague"])];
      const kept = this.below(2) === 0;
      this.change(id, (facts) => rolesGiven(facts, by, kept));
      return `${by} gives ${id} roles`;
    },
    () => {
      const [id, by] = [`machine${this.machines.length}`, this.actor()];
      this.known.set(id, machineMade(by, this.below(2) === 0 ? null : this.pick(this.accounts)));
      this.machines.push(id);
      return `${by} makes ${id}`;
    },
    () => {
      // Made by an honest person, and given to the human as its owner.
      const [id, owner] = [`machine${this.machines.length}`, this.pick(this.accounts)];
      this.known.set(id, machineMade("colleague", owner));
      this.machines.push(id);
      return `colleague makes ${id} for ${owner}`;
    },
    () => {
      if (this.machines.length === 0) return "nothing";
      const [id, by] = [this.pick(this.machines), this.pick(this.accounts)];
      this.change(id, (facts) => credentialGiven(facts, by));
      return `${by} issues a credential of ${id}`;
    },
    () => {
      if (this.machines.length === 0) return "nothing";
      const [id, owner] = [this.pick(this.machines), this.pick([...this.accounts, "colleague"])];
      this.change(id, (facts) => ownerNamed(facts, owner));
      return `${id} gets the owner ${owner}`;
    },
    () => {
      const by = this.actor();
      this.involved = withInvolved(this.involved, [by]);
      return `${by} asks`;
    },
    () => {
      const [by, owner] = [this.actor(), this.pick(this.accounts)];
      this.involved = withInvolved(this.involved, [by, owner]);
      return `${by} names ${owner} as the owner`;
    },
  ];

  /** Makes moves, and asks after each whether an account of the human would pass as a four-eyes approver. */
  run(): string | undefined {
    for (let made = 0; made < MOVES; made += 1) {
      const move = this.moves[this.below(this.moves.length)] as () => string;
      this.reported.push(move());
      if (this.involved.ids.length === 0) continue;
      const decider = this.pick(this.accounts);
      const { verdict } = judgeDecider({
        decider: { id: decider, username: `${decider}@acme.example` },
        involved: this.involved,
        known: this.known,
      });
      if (verdict === "independent") return [...this.reported, `${decider} approves`].join("; ");
    }
    return undefined;
  }
}

describe("S3 one human with many accounts and machines", () => {
  it(`passes as a four-eyes approver in none of ${HISTORIES} histories without being refused or flagged`, () => {
    const passed: string[] = [];
    for (let seed = 1; seed <= HISTORIES && passed.length === 0; seed += 1) {
      const history = new History(numbers(seed)).run();
      if (history !== undefined) passed.push(`seed ${seed}: ${history}`);
    }
    expect(passed).toEqual([]);
  }, 600_000);

  it("does pass where honest people have no tie to each other", () => {
    const known = new Map([
      ["founder", accountMade(null, true)],
      ["first", accountMade("founder", false)],
      ["colleague", accountMade("founder", false)],
    ]);
    const decider = { id: "colleague", username: "colleague@acme.example" };
    const involved = withInvolved(NONE_INVOLVED, ["first"]);
    expect(judgeDecider({ decider, involved, known }).verdict).toBe("independent");
  });
});
