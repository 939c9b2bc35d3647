import { identities } from "#families/estate/index.js";
import { users } from "#families/identity/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { NAME_ID_FORMATS } from "#ports/saml.js";
import { z } from "#schema/z.js";
import { attributesFor, nameFor, type SignOnSubject } from "./assertion/subject.js";
import { MappedAttribute } from "./fields.js";
import type { SamlApp } from "./schema.js";

export const PreviewRequest = z
  .strictObject({
    userId: z.string().min(1).max(100).optional().meta({
      description: "Id of a user or AI identity; the caller when absent.",
    }),
    attributeMapping: z.array(MappedAttribute).max(50).optional().meta({
      description: "A mapping to try, in place of the application's.",
    }),
  })
  .meta({ id: "SamlPreviewRequest", example: {} });

export const Preview = z
  .object({
    nameId: z.string().meta({ description: "The name that it would be told." }),
    nameIdFormat: z.enum(NAME_ID_FORMATS).meta({ description: "Kind of name." }),
    attributes: z
      .array(
        z.object({
          name: z.string().meta({ description: "As the application knows it." }),
          values: z.array(z.string()).meta({ description: "What it would be told." }),
        }),
      )
      .meta({ description: "Those that have a value." }),
  })
  .meta({ id: "SamlPreview" });

/** What an application would be told of somebody. Nothing is signed. */
export async function previewOf(
  ctx: ReadContext,
  app: SamlApp,
  { userId, attributeMapping }: z.output<typeof PreviewRequest>,
): Promise<z.output<typeof Preview>> {
  // What an application is told of others is theirs: their address and roles are for those who may see people.
  if (userId !== undefined && userId !== ctx.principal.userId) requirePermission(ctx.env, ctx.principal, "user:read");
  const subject = await previewed(ctx, userId ?? ctx.principal.userId);
  const reported = attributesFor({ attributeMapping: attributeMapping ?? app.attributeMapping }, subject);
  const attributes = reported.map(({ name, values }) => ({ name, values: [...values] }));
  return { nameId: nameFor(ctx, app, subject, app.nameIdFormat), nameIdFormat: app.nameIdFormat, attributes };
}

async function previewed(ctx: ReadContext, id: string): Promise<SignOnSubject> {
  const { tenantId } = ctx.db;
  const [user] = await ctx.db.getMany(users, [id]);
  if (user) {
    const { username, name, roles } = user.value;
    return { id, username, name, roles, kind: "user", tenantId };
  }
  const [identity] = await ctx.db.getMany(identities, [id]);
  if (identity) return { id, username: id, name: identity.value.name, roles: [], kind: "client", tenantId };
  throw invalidProperty("/userId", "There is no user or AI identity with this id.", "invalid_reference");
}
