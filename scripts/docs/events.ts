import { type Machine, OWN_EVENTS } from "@reeve/core/reference";
import type { Collection } from "@reeve/core/store";
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
}

const MEANINGS: Readonly<Record<string, string>> = {
  specversion: "Version of CloudEvents.",
  id: "Unique; rises with time.",
  source: "Path of the record that it happened to.",
  type: "What happened.",
  subject: "Id of the record.",
  subjecttype: "Kind of the record.",
  time: "When, in UTC with milliseconds.",
  datacontenttype: "How `data` is written.",
  authtype: "Kind of who did it: `user`, `client` or `system`.",
  authid: "Id of who did it.",
  correlationid: "`X-Request-Id` of the request.",
  severitytext: "How grave it is, in the words of OpenTelemetry.",
  severitynumber: "The same as a number.",
  outcome: "Whether it was done.",
  status: "The same as `outcome`.",
  machine: "Transitions only: which machine moved.",
  fromstate: "Transitions only: the state before.",
  tostate: "Transitions only: the state after.",
  related: "Ids of what else it concerns, with spaces between them.",
  sequence: "Place in the tenant's chain, twelve digits, without gaps.",
  prevhash: "`eventhash` of the event before; 64 zeros for the first.",
  eventhash: "SHA-256 over `prevhash`, `sequence` and the hash of the attributes.",
};

function envelopeRows(): string[][] {
  const { components } = openapiDocument() as { components: { schemas: Record<string, { properties?: object }> } };
  const properties = Object.entries((components.schemas.Event?.properties ?? {}) as Record<string, Property>);
  return properties.map(([name, property]) => {
    const meaning = property.description ?? MEANINGS[name];
    if (meaning === undefined) throw new Error(`scripts/docs/events.ts does not say what the attribute ${name} means`);
    return [code(name), property.enum ? codes(property.enum) : (property.type ?? ""), meaning];
  });
}
