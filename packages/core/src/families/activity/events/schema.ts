import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** A CloudEvents 1.0 document with its place in the tenant's hash chain. */
export const Event = z
  .looseObject({
    specversion: z.literal("1.0").meta({ description: "Version of CloudEvents." }),
    id: z.string().meta({ description: "Unique; rises with time." }),
    source: z.string().meta({ description: "Path of the record that it happened to." }),
    type: z.string().meta({ description: "The type of the event." }),
    subject: z.string().meta({ description: "Id of the record." }),
    subjecttype: z.string().meta({ description: "Kind of the record." }),
    time: Time.meta({ description: "When, in UTC with milliseconds." }),
    datacontenttype: z.literal("application/json").meta({ description: "How `data` is written." }),
    datahash: z.string().meta({ description: "SHA-256 of the canonical form (RFC 8785) of `data`." }),
    authtype: z.string().meta({ description: "Kind of who did it: `user`, `client` or `system`." }),
    authid: z.string().meta({ description: "Id of who did it." }),
    correlationid: z.string().meta({ description: "`X-Request-Id` of the request." }),
    severitytext: z.string().meta({ description: "How grave it is, in the words of OpenTelemetry." }),
    severitynumber: z.int().meta({ description: "The same as a number." }),
    outcome: z.enum(["success", "denied", "failure"]).meta({ description: "Whether it was done." }),
    status: z.enum(["success", "denied", "failure"]).meta({ description: "The same as `outcome`." }),
    machine: z.string().optional().meta({ description: "Transitions only: which machine moved." }),
    fromstate: z.string().optional().meta({ description: "Transitions only: the state before." }),
    tostate: z.string().optional().meta({ description: "Transitions only: the state after." }),
    related: z.string().optional().meta({ description: "Ids of what else it concerns, with spaces between them." }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "`null` once erased, and for who may not read the record; the chain still verifies." }),
    sequence: z.string().meta({ description: "Place in the tenant's chain, twelve digits, without gaps." }),
    prevhash: z.string().meta({ description: "`eventhash` of the event before; 64 zeros for the first." }),
    eventhash: z.string().meta({ description: "SHA-256 over `prevhash`, `sequence` and the hash of the attributes." }),
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof Event>;
