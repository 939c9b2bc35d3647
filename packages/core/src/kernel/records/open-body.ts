import { SchemaNotes } from "#schema/lazy-schema.js";
import { z } from "#schema/z.js";
import { AnyObject, GenericBody } from "./generic-body.js";

/** What a request schema is made of. */
interface OpenBodySpec<S extends z.ZodRawShape, State extends string> {
  /** The name of the schema, unique in the API description. */
  readonly id: string;
  /** What a caller may set, at top level or inside `configuration`. All of them are optional. */
  readonly fields: z.ZodObject<S>;
  /** The documented values of `status`. The state machine refuses others. */
  readonly states?: readonly State[];
  /** `configuration` accepts these fields and no others. */
  readonly closed?: true;
  /** What `configuration` is, where it has properties of its own and takes none of these fields. */
  readonly own?: string;
  readonly description?: string;
  /** A body that a tenant without any records accepts. */
  readonly example: Readonly<Record<string, unknown>>;
}

const fieldsIn = new SchemaNotes<z.ZodObject>();

/** The names that a request schema takes at top level and inside `configuration`; `undefined` of any other schema. */
export function fieldsOf(schema: object): readonly string[] | undefined {
  const fields = fieldsIn.get(schema);
  return fields && Object.keys(fields.shape);
}

const ownConfiguration = new SchemaNotes<true>();

/** Whether the `configuration` of a request schema has properties of its own, which its handler checks and sorts. */
export const hasOwnConfiguration = (schema: object): boolean => ownConfiguration.get(schema) === true;

const stands = new SchemaNotes<z.ZodType>();

/** Marks a schema as having the names of another one, which the handler validates later. */
export function namedAs<S extends z.ZodType>(schema: S, known: z.ZodType): S {
  stands.set(schema, known);
  return schema;
}

/** The schema that lists the known names of this one. */
export const namesFrom = (schema: object): object => stands.get(schema) ?? schema;

const GenericStrict = z.strictObject(GenericBody.shape);

/** What callers in process may send: known properties only. */
type OpenInput<S extends z.ZodRawShape, State extends string> = Omit<z.input<typeof GenericStrict>, "status"> & {
  readonly status?: State | undefined;
  readonly attributes?: Record<string, unknown> | undefined;
} & { readonly [Name in keyof S]?: z.input<S[Name]> | undefined };

/**
 * The generic body with the fields of one kind of record. Types allow known properties only; HTTP allows others too.
 */
export function openBody<S extends z.ZodRawShape, const State extends string = string>(
  spec: OpenBodySpec<S, State>,
): z.ZodType<GenericBody, OpenInput<S, State>> {
  const { id, states, closed, own, description, example } = spec;
  const schema = z.declared(() => {
    const { configuration, ...generic } = GenericBody.shape;
    return z
      .looseObject({
        ...generic,
        status: states === undefined ? status : oneOf(states),
        configuration: closed
          ? configuration.meta({ description: "The fields may stand here too, and nothing else." })
          : own === undefined
            ? configuration
            : configuration.meta({ description: own }),
        attributes: AnyObject.optional().meta({ description: "What else is to be kept with the record." }),
        ...spec.fields.partial().shape,
      })
      .meta({ id, ...(description === undefined ? {} : { description }), example });
  });
  if (own === undefined) fieldsIn.set(schema, spec.fields);
  else ownConfiguration.set(schema, true);
  return schema as unknown as z.ZodType<GenericBody, OpenInput<S, State>>;
}

interface ActionBodySpec {
  readonly id: string;
  readonly example: Readonly<Record<string, unknown>>;
}

const { reason, metadata, status } = GenericBody.shape;

/** The body of an action whose path gives the target state: a reason only. */
export function actionBody({ id, example }: ActionBodySpec) {
  return z.strictObject({ reason }).meta({ id, example });
}

/** Like `actionBody`, with the `metadata` of the published API. */
export function annotatedActionBody({ id, example }: ActionBodySpec) {
  return z.strictObject({ reason, metadata }).meta({ id, example });
}

/** The body of an action, which may repeat its target state. */
export function moveBody<const State extends string>({ id, to, example }: ActionBodySpec & { readonly to: State }) {
  return z.strictObject({ reason, status: oneOf([to]) }).meta({ id, example });
}

/** A target state, documented as one of these. The state machine refuses others and lists the possible ones. */
export function oneOf<const State extends string>(states: readonly State[]) {
  return status.meta({ ...status.meta(), enum: [...states] }) as unknown as z.ZodOptional<z.ZodType<string, State>>;
}
