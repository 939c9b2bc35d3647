import type { Facts } from "../../origins/rules.js";

/** The known facts, by id of the user or AI identity. */
export type KnownFacts = ReadonlyMap<string, Facts>;

/** One step from an account or a machine to who is behind it. */
export interface Link {
  readonly to: string;
  /** How `to` is behind it, as in `its password was set by`. */
  readonly how: string;
  /** Whether `to` can act as it: it holds its secret, or it is a machine. */
  readonly acts: boolean;
}

/** Everybody directly behind an account or a machine. */
export function linksOf(facts: Facts | undefined): Link[] {
  if (!facts) return [];
  const machine = facts.kind === "machine";
  const held = {
    account: "got its password from",
    machine: "got its credentials from",
    earlier_id: "is an earlier id of",
  };
  const link = (how: string, acts: boolean) => (to: string) => ({ to, how, acts });
  return [
    ...one(facts.madeBy).map(link(machine ? "was made by" : "was created by", machine)),
    ...facts.heldBy.map(link(held[facts.kind], true)),
    ...facts.rolesBy.map(link("got its roles from", false)),
    ...facts.ownedBy.map(link("is owned by", machine)),
  ];
}

const one = (id: string | null): string[] => (id === null ? [] : [id]);
