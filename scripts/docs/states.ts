import { type Collection, HUMAN_ONLY, type Machine, REVIEW_ACTIONS } from "@reeve/core/reference";
import { anchor, code, codes, markdownPage, type ReferencePage, table } from "./markdown.js";

type Transition = Machine["transitions"][number];

/** Every state machine with states, diagram and transitions, and the actions on findings. */
export function statesPage(machines: readonly Machine[], collections: readonly Collection[]): ReferencePage {
  return markdownPage("states.md", "State machines", [
    "A transition is a row of these tables and nothing else. Asking for a state that no row leads to answers 409 " +
      "`invalid_transition` with `current` and `allowed`; a guard that is not met answers 409 `transition_guard_failed` " +
      "with the guards; asking for the state a record is already in changes nothing.",
    machines.map((machine) => `- [${machine.name}](#${anchor(machine.name)})`).join("\n"),
    ...machines.flatMap((machine) => section(machine, collections)),
    "## Findings",
    "The status of a finding has no machine: it is derived from what evaluations see, what people do and which exemptions hold. " +
      "This is what people can do; anything else answers 409 `invalid_transition` with `current` and `allowed`. " +
      "[How it is derived](../guides/findings.md).",
    table(
      ["Action", "What it does", "From", "Needs", "Permission", "Machines"],
      Object.entries(REVIEW_ACTIONS).map(([action, { description, allowedFrom, requires, permission }]) => [
        code(action),
        description,
        codes(allowedFrom),
        codes(requires),
        code(permission),
        HUMAN_ONLY.has(permission) ? "never" : "",
      ]),
    ),
  ]);
}

function section(machine: Machine, collections: readonly Collection[]): string[] {
  const owners = collections.filter((collection) => Object.values(collection.machines ?? {}).includes(machine));
  const guards = Object.entries(machine.guards);
  return [
    `## ${machine.name}`,
    `Field ${code(machine.field)} of ${codes(owners.map((owner) => owner.name))}. Every transition leaves an event of type ` +
      `${code(`reeve.${machine.eventType}.v1`)}.`,
    diagram(machine),
    table(
      ["State", "Meaning", "Initial"],
      Object.entries(machine.states).map(([state, meaning]) => [
        code(state),
        meaning,
        machine.initial[0] === state ? "yes, by default" : machine.initial.includes(state) ? "yes" : "",
      ]),
    ),
    table(
      ["Event", "From", "To", "Guards", "Reason", "Permission", "Four-eyes approver", "Machines", "Automatic"],
      machine.transitions.map(transitionRow),
    ),
    ...(guards.length > 0
      ? [
          table(
            ["Guard", "Is met when"],
            guards.map(([key, guard]) => [code(key), guard.description]),
          ),
        ]
      : []),
  ];
}

function transitionRow(row: Transition): string[] {
  return [
    code(row.event),
    codes(row.from),
    code(row.to),
    codes(row.guards ?? []),
    row.needsReason ? "required" : row.stops ? "asked afterwards" : "",
    permissionOf(row),
    row.fourEyes ? (row.seen ? "required, with `If-Match`" : "required") : "",
    row.fourEyes || row.byPeople || (row.permission && HUMAN_ONLY.has(row.permission)) ? "never" : "",
    row.automatic ? "yes" : "",
  ];
}

/** What a transition requires in addition to the operation's permission. */
export function permissionOf(row: Transition): string {
  if (!row.permission) return "";
  return `${code(row.permission)}${row.ownerMay ? " or owner" : ""}`;
}

/** The machine as a Mermaid diagram. States without transitions out are final. */
export function diagram(machine: Machine): string {
  const ends = Object.keys(machine.states).filter(
    (state) => !machine.transitions.some((row) => row.from.includes(state)),
  );
  const lines = [
    ...machine.initial.map((state) => `[*] --> ${state}`),
    ...machine.transitions.flatMap((row) => row.from.map((from) => `${from} --> ${row.to}: ${row.event}`)),
    ...ends.map((state) => `${state} --> [*]`),
  ];
  return ["```mermaid", "stateDiagram-v2", ...lines.map((line) => `    ${line}`), "```"].join("\n");
}
