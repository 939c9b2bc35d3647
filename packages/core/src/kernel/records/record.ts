import { z } from "#schema/z.js";
import { Metadata, Name } from "./generic-body.js";
import { timeSchema } from "./time.js";

/** A moment. Requests may give it in any form of RFC 3339; records and answers have UTC with milliseconds. */
export const Time = timeSchema();

/** A time whose plain date means the start of that day in UTC. */
export const StartTime = timeSchema("start");

/** A time whose plain date means the end of that day in UTC. */
export const EndTime = timeSchema("end");

/** Fields that are set with a record and never by a body. */
export const recordFields = {
  id: z.string().meta({ description: "The unique id of the record." }),
  version: z.int().min(1).meta({ description: "Rises with every change." }),
  createdAt: Time.meta({ description: "When it was made." }),
  createdBy: z.string().meta({ description: "Id of who made it." }),
  updatedAt: Time.meta({ description: "When it last changed." }),
  updatedBy: z.string().meta({ description: "Id of who changed it last." }),
};

/** The properties that every record starts with. Resources add their own after them. */
export function recordShape<S extends z.ZodType<string>>(status: S) {
  const { id, version, createdAt, createdBy, updatedAt, updatedBy } = recordFields;
  const described = status.meta({ description: "The state of the record.", ...status.meta() });
  return {
    id,
    name: Name,
    status: described,
    version,
    metadata: Metadata,
    createdAt,
    createdBy,
    updatedAt,
    updatedBy,
  };
}

/** Record properties that a body may repeat but not change. */
export const READ_ONLY = ["id", "version", "createdAt", "createdBy", "updatedAt", "updatedBy"] as const;
