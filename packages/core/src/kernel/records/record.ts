import { z } from "zod";
import { AnyObject, Name } from "./generic-body.js";
import { timeSchema } from "./time.js";

/** A moment. Requests may give it in any form of RFC 3339; records and answers have UTC with milliseconds. */
export const Time = timeSchema();

/** A time whose plain date means the start of that day in UTC. */
export const StartTime = timeSchema("start");

/** A time whose plain date means the end of that day in UTC. */
export const EndTime = timeSchema("end");

/** The properties that every record starts with. Resources add their own after them. */
export function recordShape<S extends z.ZodType<string>>(status: S) {
  return {
    id: z.string(),
    name: Name,
    status,
    version: z.int().min(1),
    metadata: AnyObject,
    createdAt: Time,
    createdBy: z.string(),
    updatedAt: Time,
    updatedBy: z.string(),
  };
}

/** Record properties that a body may repeat but not change. */
export const READ_ONLY = ["id", "version", "createdAt", "createdBy", "updatedAt", "updatedBy"] as const;
