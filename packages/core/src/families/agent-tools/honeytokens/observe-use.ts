import { assetNameOf } from "#families/access/index.js";
import { observe } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { AgentToolToken } from "../tokens/schema.js";

/** Somebody has used a trap. Nothing ends that but people: what was reached beside the trap nobody knows. */
export async function observeHoneytoken(ctx: Context, { id, assetId, name, last4 }: AgentToolToken, from: string) {
  await observe(ctx, {
    ...{ ruleKey: "honeytoken_used", assetId, locus: id, severity: "critical" },
    assetName: await assetNameOf(ctx, assetId),
    title: "A trap was used",
    message: `Somebody has used "${name}" (…${last4}), a token that opens nothing and was put somewhere to be found.`,
    remediation: "Find out who could read the place where it was put, and end the credentials that lie beside it.",
    values: { tokenId: id, from },
  });
}
