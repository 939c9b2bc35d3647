import type { ValueEnvironment, ValueProgram } from "#cel/value-engine.js";
import { jsonPointer } from "#kernel/http/json-pointer.js";

type Json = Readonly<Record<string, unknown>>;

/** The member of an input schema in which a server says how calls of the tool are authorized. */
export const MAPPING_MEMBER = "x-authzen-mapping";
/** The most expressions of one mapping, and the most questions that it asks. */
const MOST_EXPRESSIONS = 100;
const MOST_QUESTIONS = 20;

/** What is wrong with a mapping, and where. */
export interface MappingFault {
  readonly pointer: string;
  readonly message: string;
}

/** A value of a mapping: as it stands, by an expression, or of parts. */
export type Template =
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "expression"; readonly source: string; readonly program: ValueProgram }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, Template> }
  | { readonly kind: "list"; readonly items: readonly Template[] };

/** A mapping that is well formed: which interface it is for, and the request to make. */
export interface Mapping {
  readonly envelope: "evaluation" | "evaluations";
  readonly request: Template & { readonly kind: "object" };
  /** Whether it takes the subject from elsewhere than the token. */
  readonly ownSubject: boolean;
}

export type ReadMapping = { readonly mapping: Mapping } | { readonly faults: readonly MappingFault[] };

const PARTS = ["subject", "action", "resource", "context"] as const;
const KNOWN: Readonly<Record<(typeof PARTS)[number], readonly string[] | undefined>> = {
  subject: ["type", "id", "properties"],
  action: ["name", "properties"],
  resource: ["type", "id", "properties"],
  context: undefined,
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = { action: ["name"], resource: ["type", "id"] };

/** Reads a mapping as the binding of COAZ to MCP has it, with all that is wrong with it. */
export function readMapping(language: ValueEnvironment, raw: unknown): ReadMapping {
  const reading = new Reading(language);
  const found = isObject(raw) ? Object.keys(raw) : [];
  const [envelope] = found;
  if (!isObject(raw) || found.length !== 1 || (envelope !== "evaluation" && envelope !== "evaluations"))
    return { faults: [{ pointer: "", message: 'It has one member, "evaluation" or "evaluations".' }] };
  const request = raw[envelope];
  const at = `/${envelope}`;
  if (!isObject(request)) return { faults: [{ pointer: at, message: "It is an object." }] };
  if (envelope === "evaluation") reading.checkQuestion(request, {}, at);
  else reading.checkQuestions(request, at);
  const template = reading.template(request, at);
  if (reading.faults.length > 0 || template.kind !== "object") return { faults: reading.faults };
  return { mapping: { envelope, request: template, ownSubject: hasOwnSubject(request) } };
}

/** Looks at the form of a mapping, and compiles its expressions. */
class Reading {
  readonly faults: MappingFault[] = [];
  #expressions = 0;

  constructor(private readonly language: ValueEnvironment) {}

  checkQuestions(request: Json, at: string): void {
    const { evaluations, ...shared } = request;
    this.checkParts(shared, at);
    if (!Array.isArray(evaluations) || evaluations.length === 0 || evaluations.length > MOST_QUESTIONS) {
      this.#fault(`${at}/evaluations`, `It is a list of 1 to ${MOST_QUESTIONS} questions.`);
      return;
    }
    for (const [index, one] of evaluations.entries()) {
      const place = `${at}/evaluations/${index}`;
      if (!isObject(one)) this.#fault(place, "It is an object.");
      else if (Object.hasOwn(one, "subject")) this.#fault(`${place}/subject`, "The subject stands at the top alone.");
      else this.checkQuestion(one, shared, place);
    }
  }

  checkQuestion(own: Json, shared: Json, at: string): void {
    this.checkParts(own, at);
    for (const [part, names] of Object.entries(REQUIRED)) {
      const value = own[part] ?? shared[part];
      const missing = isObject(value) ? names.filter((name) => value[name] === undefined || value[name] === null) : [];
      if (value === undefined) this.#fault(`${at}/${part}`, "It is required.");
      for (const name of missing) this.#fault(`${at}/${part}/${name}`, "It is required.");
    }
  }

  checkParts(given: Json, at: string): void {
    for (const [name, value] of Object.entries(given)) {
      const place = `${at}${jsonPointer([name])}`;
      const known = PARTS.find((part) => part === name);
      if (!known) this.#fault(place, "A request has no such member.");
      else if (!isObject(value) && !isExpression(value)) this.#fault(place, "It is an object.");
      else if (isObject(value)) {
        const others = Object.keys(value).filter((inner) => KNOWN[known] && !KNOWN[known].includes(inner));
        for (const inner of others) this.#fault(`${place}${jsonPointer([inner])}`, "It belongs into `properties`.");
      }
    }
  }

  template(value: unknown, at: string): Template {
    if (typeof value === "string") return this.#text(value, at);
    if (Array.isArray(value))
      return { kind: "list", items: value.map((one, index) => this.template(one, `${at}/${index}`)) };
    if (!isObject(value)) return { kind: "literal", value };
    const members = Object.entries(value).map(
      ([name, inner]) => [name, this.template(inner, `${at}${jsonPointer([name])}`)] as const,
    );
    return { kind: "object", members: new Map(members) };
  }

  #text(text: string, at: string): Template {
    if (!isExpression(text)) return { kind: "literal", value: text.startsWith("$$") ? text.slice(1) : text };
    this.#expressions += 1;
    if (this.#expressions === MOST_EXPRESSIONS + 1) this.#fault(at, `It has at most ${MOST_EXPRESSIONS} expressions.`);
    if (this.#expressions > MOST_EXPRESSIONS) return { kind: "literal", value: text };
    const source = text.slice(1);
    const program = this.language.compile(source);
    if (typeof program !== "string") return { kind: "expression", source, program };
    this.#fault(at, program);
    return { kind: "literal", value: text };
  }

  #fault(pointer: string, message: string): void {
    this.faults.push({ pointer, message });
  }
}

const isExpression = (value: unknown): boolean =>
  typeof value === "string" && value.startsWith("$") && !value.startsWith("$$");

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A subject by anything but the claim `sub`. One that is left out is taken from the token. */
function hasOwnSubject({ subject }: Json): boolean {
  if (subject === undefined) return false;
  return !isObject(subject) || (subject.id !== undefined && subject.id !== "$token.sub");
}
