const number = new Intl.NumberFormat("en");
const items = (count: number) => `${number.format(count)} ${count === 1 ? "item" : "items"}`;

/** Access and whether it is still right. */
export const access = {
  title: "Access certifications",
  list: "Certifications, the newest first",
  columns: { name: "Certification", status: "State", left: "Undecided", due: "Due" },
  states: {
    preparing: "preparing",
    scheduled: "scheduled",
    active: "active",
    closing: "closing",
    awaiting_confirmation: "awaits confirmation",
    remediating: "being carried out",
    completed: "completed",
    not_applicable: "about nothing",
    cancelled: "cancelled",
  },
  empty: { title: "No certification fits", detail: "Either there is none, or the filters leave none." },
  progress: "Decided or settled",
  facts: { status: "State", due: "Due", held: "Held, as nobody may review them", confirmation: "To confirm" },
  confirms: (revokes: number, all: number) => `${number.format(revokes)} revocations of ${items(all)}`,
  itemStates: {
    pending: "undecided",
    decided: "decided",
    stale: "changed since, being looked at again",
    no_response: "no answer",
    excluded: "left out",
    remediating: "being carried out",
    remediated: "carried out",
    remediation_failed: "could not be carried out",
    auto_resolved: "access ended by itself",
  },
  items: {
    show: "Items",
    list: "Items of this certification",
    choose: (name: string) => `Choose ${name}`,
    held: "nobody may review it",
    ofOthers: (count: number) =>
      count === 1 ? "another person reviews it" : `${number.format(count)} others review it`,
    columns: {
      choose: "Choose",
      who: "Who",
      what: "May do",
      usage: "Use",
      advice: "What the facts speak for",
      decide: "Decision",
    },
    empty: { title: "No item is in this state", detail: "Choose another state to see the others." },
  },
  usage: { used: "used", unused: "not used", unknown: "use unknown" },
  advice: { certify: "to keep it", revoke: "to revoke it", none: "nothing either way" },
  decisions: { certify: "Keep", revoke: "Revoke", modify: "Shorten", abstain: "Abstain" },
  decideOn: (decision: string, name: string) => `${decision}: ${name}`,
  outcomes: { certified: "kept", revoke: "revoked", modified: "changed", abstained: "left to others" },
  revokes: "The access ends in the target system once the time to undo is over.",
  reason: "Reason",
  until: "Until",
  bulk: {
    choose: (count: number) => `Choose ${items(count)} that nothing speaks against`,
    keep: (count: number) => `Keep ${items(count)}`,
    kept: (kept: number, refused: number) =>
      `${items(kept)} kept${refused === 0 ? "." : `; ${items(refused)} must be looked at alone:`}`,
  },
};
