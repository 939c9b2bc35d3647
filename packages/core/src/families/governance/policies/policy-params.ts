import { schemaFaults } from "#kernel/http/schema-faults.js";
import { z } from "#schema/z.js";

const Text = z.string().max(500);
const Value = z.union([Text, z.number(), z.boolean(), z.array(z.string().max(200)).max(64)]);
const size = (description: string) => z.int().min(0).max(500).optional().meta({ description });
const bound = (description: string) => z.number().optional().meta({ description });
const Choice = z.array(z.string().max(200)).min(1).max(64).optional().meta({ description: "One of these." });
const TYPES = ["string", "integer", "number", "boolean", "array"] as const;

/** The part of JSON Schema that describes a parameter. It has no patterns, which could run for ever. */
export const ParamSchema = z
  .strictObject({
    type: z.enum(TYPES).meta({ description: "What kind of value." }),
    description: Text.optional().meta({ description: "What it is for." }),
    default: Value.optional().meta({ description: "Taken where no value is sent." }),
    enum: Choice,
    minimum: bound("The least value allowed."),
    maximum: bound("The greatest value allowed."),
    minLength: size("The fewest characters."),
    maxLength: size("The most characters."),
    minItems: size("The fewest items."),
    maxItems: size("The most items."),
    items: z
      .strictObject({
        type: z.literal("string").meta({ description: "Items are texts." }),
        enum: Choice,
        maxLength: size("The most characters."),
      })
      .optional()
      .meta({ description: "What each item is." }),
  })
  .meta({ id: "PolicyParamSchema", description: "JSON Schema of one parameter." });

const Name = z.string().regex(/^[A-Za-z_]\w{0,63}$/, "A name as expressions read it.");
export const Params = z.record(Name, Value);
export const ParamSchemas = z.record(Name, ParamSchema);

/** The parameters of a policy with the schemas of those that have one. */
export interface Parameters {
  readonly params: z.output<typeof Params>;
  readonly paramSchemas: z.output<typeof ParamSchemas>;
}

interface ParamFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** All declared parameters are needed, and others are left as they are. */
function schemaOf(schemas: Parameters["paramSchemas"]): z.ZodType<Parameters["params"]> {
  const required = Object.keys(schemas).filter((name) => schemas[name]?.default === undefined);
  return z.fromJSONSchema({ type: "object", properties: schemas, required } as never) as z.ZodType<
    Parameters["params"]
  >;
}

/** The parameters with the defaults of their schemas, or as they are when they do not fit. */
export function withDefaults({ params, paramSchemas }: Parameters): Parameters["params"] {
  const parsed = schemaOf(paramSchemas).safeParse(params);
  return parsed.success ? parsed.data : params;
}

/** What does not fit the schemas of a policy. */
export function paramFaults({ params, paramSchemas }: Parameters): ParamFault[] {
  const parsed = schemaOf(paramSchemas).safeParse(params);
  if (parsed.success) return [];
  return schemaFaults(parsed.error).map(({ pointer, message }) => ({
    pointer: `/params${pointer}`,
    code: "invalid_parameter",
    message,
  }));
}

/** Parameters without a schema whose values are of another type than before. */
export function retypedParams(before: Parameters["params"], { params, paramSchemas }: Parameters): ParamFault[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const was = before[name];
    if (was === undefined || name in paramSchemas || typeOf(was) === typeOf(value)) return [];
    const message = `It is a ${typeOf(was)}; to change that, declare its type in \`paramSchemas\`.`;
    return [{ pointer: `/params/${name}`, code: "invalid_parameter", message }];
  });
}

const typeOf = (value: unknown) => (Array.isArray(value) ? "list" : typeof value);
