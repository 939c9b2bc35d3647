import type { ErrorObject, ValidateFunction } from "ajv";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { type Described, type Json, PathIndex } from "./path-index.js";

/** An answer as it was sent. */
export interface SentAnswer {
  /** The operation that answered; absent when the request reached none. */
  readonly operationId: string | undefined;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

const URI = "openapi.json";
const PROBLEM = "application/problem+json";
/** Faults that one message shows. */
const SHOWN = 5;

/**
 * A published OpenAPI 3.0 document. ajv, which shares no code with Reeve, judges by it what is sent and answered: `null`,
 * enums, bounds and formats mean what that dialect says.
 */
export class ApiDocument {
  readonly #ajv = new Ajv.default({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    code: { optimize: false },
  });
  readonly #paths: PathIndex;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(readonly document: Json) {
    // These say nothing of values. The document itself is no schema, but references lead into it.
    this.#ajv.addVocabulary(["example", ...Object.keys(document)]);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, URI, undefined, false);
    this.#paths = new PathIndex(document);
  }

  /** The operation that a request reaches by its method and path. */
  operationAt(method: string, target: string): string | undefined {
    return this.#paths.operationAt(method === "HEAD" ? "GET" : method, target);
  }

  /** How the JSON of an answer differs from what the document says of it; each fault begins with a JSON Pointer. */
  answerFaults({ operationId, status, contentType, text }: SentAnswer): string[] {
    const media = mediaOf(contentType);
    if (text === "" || !/[/+]json$/.test(media)) return [];
    const described = operationId === undefined ? undefined : this.#paths.operation(operationId);
    if (!described) return media === PROBLEM ? this.#faults("/components/schemas/Problem", JSON.parse(text)) : [];
    const responses = described.operation.responses as Json;
    const status_ = String(status) in responses ? String(status) : "default";
    const response = this.#followed(described, ["responses", status_]);
    if (!response) return [`the status ${status} is not described`];
    if (!response.has(media)) return [`${media} is not described for the status ${status}`];
    return this.#faults(response.schemaOf(media), JSON.parse(text));
  }

  /** How the JSON body of a request differs from what the document says of it. */
  requestFaults(operationId: string | undefined, contentType: string | undefined, text: string): string[] {
    const media = mediaOf(contentType);
    const described = operationId === undefined ? undefined : this.#paths.operation(operationId);
    if (!described || text === "" || media !== "application/json") return [];
    const body = this.#followed(described, ["requestBody"]);
    if (!body) return [];
    if (!body.has(media)) return [`${media} is not described`];
    return this.#faults(body.schemaOf(media), JSON.parse(text));
  }

  /** A response or request body, where its reference leads. */
  #followed({ pointer, operation }: Described, names: readonly string[]) {
    let [at, found] = [pointer + pointerOf(names), names.reduce<Json | undefined>(entryOf, operation)];
    if (typeof found?.$ref === "string") {
      at = found.$ref.slice(1);
      found = at.slice(1).split("/").reduce<Json | undefined>(entryOf, this.document);
    }
    const content = found?.content as Json | undefined;
    if (!found) return undefined;
    return {
      has: (media: string) => content !== undefined && media in content,
      schemaOf: (media: string) => `${at}${pointerOf(["content", media, "schema"])}`,
    };
  }

  #faults(pointer: string, value: unknown): string[] {
    const known = this.#validators.get(pointer);
    const validate = known ?? this.#ajv.compile({ $ref: `${URI}#${encodeURI(pointer)}` });
    if (!known) this.#validators.set(pointer, validate);
    return validate(value) ? [] : [...new Set(validate.errors?.map(faultOf))].slice(0, SHOWN);
  }
}

const entryOf = (holder: Json | undefined, name: string) => holder?.[name] as Json | undefined;

const pointerOf = (names: readonly string[]) =>
  names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const mediaOf = (contentType = "") => (contentType.split(";")[0] ?? "").trim().toLowerCase();

function faultOf({ instancePath, message, params, schemaPath }: ErrorObject): string {
  const more = Object.values(params as Json)
    .flat()
    .join(", ");
  return `${instancePath || "/"} ${message} (${more}; ${schemaPath.replace(URI, "")})`;
}
