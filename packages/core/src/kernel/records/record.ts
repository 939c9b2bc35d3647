import { z } from "zod";
import { AnyObject, Name } from "./generic-body.js";

/** RFC 3339 UTC with milliseconds. */
export const Time = z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-21T10:00:00.000Z" });

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
