import type { AssetType } from "#families/estate/index.js";
import type { ExpressionEngine, Field, ObjectType, Vocabulary } from "#ports/expressions.js";
import { postureVocabulary, runtimeVocabulary, SPEC_OBJECTS } from "../policies/compile/vocabulary.js";
import type { DomainEnums } from "./schema.js";

type Cel = DomainEnums["cel"];
type CelField = Cel["environments"][string][number];

/** The expression language as the API serves it: functions, limits, and the fields for each kind of rule. */
export function celOf({ id, functions, limits }: ExpressionEngine): Cel {
  const types = Object.keys(SPEC_OBJECTS) as AssetType[];
  return {
    engine: id,
    functions: Object.entries(functions).map(([name, signature]) => ({ name, signature })),
    limits,
    environments: {
      posture: fieldsOf(postureVocabulary(undefined)),
      ...Object.fromEntries(types.map((type) => [`posture.${type}`, fieldsOf(postureVocabulary(type))])),
      runtime: fieldsOf(runtimeVocabulary()),
      ...Object.fromEntries(types.map((type) => [`runtime.${type}`, fieldsOf(runtimeVocabulary(type))])),
    },
  };
}

/** The fields of a vocabulary, with all below them. */
export function fieldsOf(vocabulary: Vocabulary): CelField[] {
  return Object.entries(vocabulary).flatMap(([name, field]) => fieldsBelow(name, field));
}

/** A field and all fields below it. */
function fieldsBelow(path: string, field: Field): CelField[] {
  const { type, description, values = null, optional = false, volatile = false } = field;
  const reported = { path, type: typeName(field), description, values: values && [...values], optional, volatile };
  if (typeof type === "string") return [reported];
  const object: ObjectType | undefined =
    "object" in type ? type.object : type.list === "string" ? undefined : type.list;
  const below = "object" in type ? path : `${path}[]`;
  return [
    reported,
    ...Object.entries(object?.fields ?? {}).flatMap(([name, inner]) => fieldsBelow(`${below}.${name}`, inner)),
  ];
}

function typeName({ type }: Field): string {
  if (typeof type === "string") return type;
  if ("object" in type) return type.object.name;
  return `list<${type.list === "string" ? "string" : type.list.name}>`;
}
