import { optionsOf } from "#families/options.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { issuerOf } from "../assertion/issuer.js";
import { ApplicationFields, GivenTrust, SamlFields } from "../fields.js";

export const SamlForm = z
  .object({
    formUrl: z.string().nullable().meta({ description: "The host's page for people; `null` without one." }),
    submitUrl: z.string().meta({ description: "Where the filled form is sent." }),
    identityProvider: z
      .object({
        entityId: z.string().meta({ description: "Entity id, which is the address of the metadata." }),
        ssoUrl: z.string().meta({ description: "Address for requests to sign on." }),
        sloUrl: z.string().meta({ description: "Address for messages of logouts." }),
      })
      .meta({ description: "What the application is given." }),
    schema: AnyObject.meta({ description: "JSON Schema of the fields." }),
  })
  .meta({ id: "SamlForm" });

let schema: Record<string, unknown> | undefined;

/** What a person or program needs to register an application. */
export function formOf(ctx: ReadContext): z.output<typeof SamlForm> {
  schema ??= z.toJSONSchema(
    z.object({ ...SamlFields.shape, ...ApplicationFields.shape, ...GivenTrust.shape }).partial(),
    {
      io: "input",
    },
  ) as Record<string, unknown>;
  return {
    formUrl: optionsOf(ctx.env).samlFormUrl ?? null,
    submitUrl: `${ctx.env.options.baseUrl}/api/v1/saml-apps/create`,
    identityProvider: issuerOf(ctx.env, ctx.db.tenantId),
    schema,
  };
}
