import { z } from "zod";
import { Time } from "../../../kernel/records/record.js";

/** A CloudEvents 1.0 document with its place in the tenant's hash chain. */
export const Event = z
  .looseObject({
    specversion: z.literal("1.0"),
    id: z.string(),
    source: z.string(),
    type: z.string(),
    subject: z.string(),
    subjecttype: z.string(),
    time: Time,
    datacontenttype: z.literal("application/json"),
    datahash: z.string().meta({ description: "SHA-256 of the canonical form (RFC 8785) of `data`." }),
    authtype: z.string(),
    authid: z.string(),
    correlationid: z.string(),
    severitytext: z.string(),
    severitynumber: z.int(),
    outcome: z.enum(["success", "denied", "failure"]),
    status: z.enum(["success", "denied", "failure"]),
    machine: z.string().optional(),
    fromstate: z.string().optional(),
    tostate: z.string().optional(),
    related: z.string().optional().meta({ description: "Ids of what else it concerns, with spaces between them." }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "`null` once erased; the chain still verifies." }),
    sequence: z.string(),
    prevhash: z.string(),
    eventhash: z.string(),
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof Event>;
