import { type Collection, type Machine, OWN_EVENTS } from "@reeve/core/reference";
import { code, codes, markdownPage, type ReferencePage, table } from "./markdown.js";
import { openapiDocument } from "./openapi.js";

/** Every event type, and their common envelope. */
export function eventsPage(collections: readonly Collection[], machines: readonly Machine[]): ReferencePage {
  return markdownPage("events.md", "Events", [
    "Every change leaves a [CloudEvents 1.0](https://github.com/cloudevents/spec) document in the same transaction, " +
      "hash-chained per tenant. `GET /api/v1/ai/activity` lists them, the `onEvent` option hands them to the host after the " +
      "commit, at least once. How to check the chain: [Verifying the event chain](../guides/event-chain.md).",
    "Types are written with the prefix of the option `eventTypePrefix` (`reeve` by default) and the version: " +
      "`asset.created` is `reeve.asset.created.v1`.",
    "## Records",
    table(
      ["Type", "When", "`data`"],
      collections.flatMap((collection) => recordEvents(collection)),
    ),
    "## Transitions",
    "`data` holds `entity`, `from`, `to`, `event`, `reason`, `guards`, `triggeredBy` and `changes`; `machine`, `fromstate` and " +
      "`tostate` also stand in the envelope.",
    table(
      ["Type", "Machine", "Events"],
      machines.map((machine) => [
        code(machine.eventType),
        code(machine.name),
        codes([...new Set(machine.transitions.map((row) => row.event))]),
      ]),
    ),
    "## Others",
    table(
      ["Type", "When"],
      Object.entries(OWN_EVENTS).map(([type, when]) => [code(type), when]),
    ),
    "## The envelope",
    table(["Attribute", "Type", "Meaning"], envelopeRows()),
  ]);
}

function recordEvents({ resource }: Collection): string[][] {
  if (!resource || resource.ownEvents) return [];
  return [
    [code(`${resource.event}.created`), "A record was stored.", "`entity`, `after`"],
    [code(`${resource.event}.updated`), "Fields other than states changed.", "`entity`, `changes` (field, from, to)"],
    [code(`${resource.event}.deleted`), "It was taken out of every read.", "`entity`, `before`"],
  ];
}

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Property[];
}

function envelopeRows(): string[][] {
  const { components } = openapiDocument() as {
    components: { schemas: Record<string, Property & { properties?: Record<string, Property> }> };
  };
  const resolved = ({ $ref, allOf: [part] = [], ...own }: Property): Property => {
    const named = components.schemas[$ref?.split("/").at(-1) ?? ""];
    return { ...(named ? resolved(named) : {}), ...(part ? resolved(part) : {}), ...own };
  };
  return Object.entries(components.schemas.Event?.properties ?? {}).map(([name, given]) => {
    const property = resolved(given);
    const meaning = property.description;
    if (meaning === undefined) throw new Error(`The schema of events does not say what the attribute ${name} means`);
    return [code(name), property.enum ? codes(property.enum) : (property.type ?? ""), meaning];
  });
}
