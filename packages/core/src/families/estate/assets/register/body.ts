import type { z } from "zod";
import { ReeveError } from "#kernel/http/errors.js";
import { refuseUnfit } from "#kernel/http/free-values.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import { withinClaims } from "#kernel/operation/claims.js";
import type { Sayer } from "#kernel/records/authority.js";
import { type GenericBody, splitBody } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { openBody } from "#kernel/records/open-body.js";
import { ASSET_DEFAULTS, AssetFields } from "../fields.js";
import { assetLifecycle } from "../machine.js";
import { ASSET_READ_ONLY, type Asset } from "../schema.js";

const GivenFields = AssetFields.partial();

/** The fields that a generic body sets on a record, after validation. The requested state is separate. */
export interface EstateBody<F> {
  readonly fields: F;
  readonly free: Partial<Pick<Asset, "name" | "metadata" | "configuration" | "attributes">>;
  readonly status: string | undefined;
  readonly reason: string | undefined;
}

export const AssetRequest = openBody({
  id: "AiAssetRequest",
  fields: AssetFields,
  states: statesOf(assetLifecycle),
  example: {
    name: "Claims triage",
    assetType: "prompt",
    environment: "development",
    riskTier: "limited",
    purpose: "Sorts incoming claims by urgency.",
  },
});

export type AssetBody = EstateBody<z.output<typeof GivenFields>>;

/** What a new asset is made of. */
export interface NewAsset extends AssetBody {
  /** Whether findings of its first evaluation are the baseline. */
  readonly baseline?: boolean;
}

/** Reads a generic body as an asset. `current` is the stored asset, whose read-only values a body may repeat. */
export function readAssetBody(body: GenericBody, current?: object, sayer?: Sayer): AssetBody {
  return readEstateBody(body, GivenFields, ASSET_READ_ONLY, current, { known: current ?? ASSET_DEFAULTS, sayer });
}

/** What is known of a record before a body is read, and who says what stands in the body. */
interface Said {
  readonly known?: object;
  readonly sayer?: Sayer | undefined;
}

/** Reads a generic body by the fields that a caller may set. All are optional. */
export function readEstateBody<S extends z.ZodObject>(
  body: GenericBody,
  schema: S,
  readOnly: readonly string[],
  current: object = {},
  { known = current, sayer = "caller" }: Said = {},
): EstateBody<z.output<S>> {
  const { fields, configuration, attributes } = splitBody(body, Object.keys(schema.shape), readOnly, current);
  const parsed = schema.safeParse(fields);
  if (!parsed.success) {
    throw new ReeveError("invalid_request", undefined, { errors: schemaFaults(parsed.error) });
  }
  refuseUnfit({ metadata: body.metadata, configuration, attributes });
  const free: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ name: body.name, metadata: body.metadata, configuration, attributes })) {
    if (value !== undefined) free[name] = value;
  }
  const said = withinClaims(schema.shape, parsed.data, known, sayer);
  return { fields: said, free, status: body.status, reason: body.reason };
}

/** 400 for unknown members of `configuration`. `what` names the records, in the plural. */
export function refuseUnknown(configuration: object | undefined, what: string, known: readonly string[]): void {
  const unknown = Object.keys(configuration ?? {});
  if (unknown.length === 0) return;
  throw new ReeveError("invalid_request", undefined, {
    errors: unknown.map((key) => ({
      pointer: `/configuration/${key}`,
      code: "invalid_request",
      message: `${what} have no such field; they have ${known.join(", ")}.`,
    })),
  });
}
