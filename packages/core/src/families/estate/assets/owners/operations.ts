import { refuseSelfAppointment } from "#families/accountability/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { office } from "#kernel/records/authority.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { Label, Party as PartySchema } from "../fields.js";
import { type Asset, assets } from "../schema.js";
import { isParty, type Party } from "./hand-over.js";
import { storedParty, userNamed } from "./parties.js";

/** The most assets that one request reassigns. */
const MOST = 100;

export const reassignAssets = defineOperation({
  id: "aiAssets.reassign",
  method: "POST",
  path: "/api/v1/ai-assets/reassign",
  tag: "AI Registry",
  summary: "Hand the AI assets of one person to another",
  description: `Changes owner and sponsor of at most ${MOST} assets, without a new review. Repeat it while \`more\` is true.`,
  access: { permission: "ai-asset:assign", capability: "ai_registry" },
  extension: true,
  body: z
    .strictObject({
      from: Label.meta({ description: "Id or e-mail address of who answers for them now." }),
      to: office(PartySchema.meta({ description: "Who answers for them from now on: somebody else than you." })),
      reason: GenericBody.shape.reason.unwrap().min(1).meta({ description: "Why, for the audit trail." }),
    })
    .meta({
      id: "AiAssetReassignment",
      example: {
        from: "ada@acme.example",
        to: { type: "external", id: "grace", name: "Grace" },
        reason: "Ada has left.",
      },
    }),
  success: {
    status: 200,
    schema: z
      .object({
        reassigned: z.int().min(0).meta({ description: "How many assets this request has changed." }),
        more: z.boolean().meta({ description: "Whether others are left." }),
      })
      .meta({ id: "AiAssetsReassigned" }),
  },
  errors: ["invalid_reference", "self_appointment_forbidden"],
  async handler(ctx, { body: { from, to, reason } }) {
    const party = await storedParty(ctx, to, "/to");
    if (party.type !== "user" && party.type !== "external")
      throw invalidProperty("/to/type", "Assets are handed to a person.");
    const gone = (await userNamed(ctx, from))?.id ?? from;
    if (isParty(party, gone)) throw invalidProperty("/to/id", "They answer for these assets already.");
    await refuseSelfAppointment(ctx, [party.id], "/to/id");
    const found = await answeredBy(ctx, gone);
    for (const asset of found.slice(0, MOST)) await reassign(ctx, asset, gone, party, reason);
    return { reassigned: Math.min(found.length, MOST), more: found.length > MOST };
  },
});

/** Assets whose owner or sponsor has this id, at most one more than a request reassigns. */
async function answeredBy(ctx: Context, id: string): Promise<Asset[]> {
  const size = MOST + 1;
  const owned = await ctx.db.find(assets, { where: { owner: id }, size });
  const sponsored = await ctx.db.find(assets, { where: { sponsor: id }, size });
  const rows = new Map([...owned.rows, ...sponsored.rows].map((row) => [row.id, row]));
  return Promise.all([...rows.values()].slice(0, size).map((row) => ctx.current(assets, row)));
}

function reassign(ctx: Context, asset: Asset, from: string, to: Party, reason: string): Promise<Asset> {
  const roles = (["owner", "sponsor"] as const).filter((role) => asset[role]?.id === from);
  return ctx.update(assets, asset, Object.fromEntries(roles.map((role) => [role, to])), { reason });
}
