import { ERRORS } from "../../http/errors.js";
import type { Json } from "./json.js";

const text = (description: string): Json => ({ type: "string", description });
const list = (description: string, items: Json): Json => ({ type: "array", description, items });

const Guard: Json = {
  type: "object",
  required: ["key", "ok"],
  properties: {
    key: text("The key of the condition."),
    ok: { type: "boolean", description: "Whether it is met." },
    detail: text("What is missing."),
  },
};

const NamedRecord: Json = {
  type: "object",
  required: ["type", "id", "path"],
  properties: {
    type: text("The kind of the record."),
    id: text("The id of the record."),
    path: text("Where it is read, or a list that it is in."),
  },
};

const Fault: Json = {
  type: "object",
  required: ["code", "message"],
  properties: {
    pointer: text("JSON Pointer (RFC 6901) into the body."),
    parameter: text("The parameter of path or query."),
    code: text("What kind of mistake it is."),
    message: text("What to put right."),
  },
};

/** The schema of problem documents: common members, and those of some codes. */
export function problemSchema(): Json {
  return {
    type: "object",
    description: "An RFC 9457 problem document; `code` is the contract.",
    required: ["type", "title", "status", "code", "requestId", "retryable"],
    properties: {
      type: text("Address of the page about the code."),
      title: text("What the code means."),
      status: { type: "integer", description: "The status of the answer." },
      code: { type: "string", enum: Object.keys(ERRORS).sort(), description: "What went wrong, for programs." },
      detail: text("What is wrong this time; absent where `title` and `remedy` say all there is."),
      remedy: text("What to do about it."),
      requestId: text("As in the header `X-Request-Id`."),
      retryable: { type: "boolean", description: "Whether the same request may succeed later." },
      errors: list("Every mistake of the request.", Fault),
      guards: list("Conditions of a transition, and which of them are not met.", Guard),
      machine: text("The state machine that refuses."),
      current: { description: "What is there now: a state, a version or a digest." },
      allowed: { description: "The states that can be moved to, or how many there may be." },
      limit: { description: "The limit that is reached." },
      permission: text("The permission that is missing."),
      capability: text("The capability that is not licensed."),
      killSwitch: text("The engaged switch."),
      key: text("The unique key that is taken."),
      record: {
        ...NamedRecord,
        description: "Where the path has the id of another kind of record: what it is, and where it is read.",
      },
      existingId: text("The record that holds it."),
      tenants: list("Subdomains to choose `tenant` from.", { type: "string" }),
    },
    additionalProperties: true,
  };
}
