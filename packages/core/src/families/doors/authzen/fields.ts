import { decodeText, parseObject } from "#kernel/http/body.js";
import type { BodyForm } from "#kernel/http/body-form.js";
import { JSON_LIMITS } from "#kernel/http/json-guard.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";

/** JSON alone. The standard has 400 for any other body. */
export const json: BodyForm = {
  media: ["application/json"],
  bytes: { sent: JSON_LIMITS.bytes, unpacked: JSON_LIMITS.bytes },
  otherMedia: "invalid_request",
  read: async (bytes) => parseObject(decodeText(bytes)),
};

/** Common to all operations of this door. */
export const shared = { tag: "AI Policies", mount: "doors", extension: true } as const;
export const asked = { takes: json, openBody: true } as const;

const properties = AnyObject.optional().meta({ description: "What the caller says of it; rules may read it." });
const type = z.string().min(1).max(200).meta({ description: "What kind of thing it is." });
const id = z.string().min(1).max(500).meta({ description: "Id of it, as the caller knows it." });

/** Members beyond these are ignored, as the standard wants it. */
export const Entity = z.object({ type, id, properties });
export const Kind = z.object({ type, properties });
export const Action = z.object({
  name: z.string().min(1).max(200).meta({ description: "Name of the action." }),
  properties,
});
export const context = AnyObject.optional().meta({
  description:
    "Circumstances. `sessionId`, `sessionEpoch`, `approvalId`, `approvalScope`, `approval` and `supported_obligations` mean something here.",
});
