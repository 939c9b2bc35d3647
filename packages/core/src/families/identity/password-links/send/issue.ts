import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { credentials } from "../../users/passwords/credentials.js";
import type { User } from "../../users/schema.js";
import { LINK_LIFETIME } from "../rules.js";
import { type LinkPurpose, passwordLinks } from "../schema.js";
import { mailDispatcher } from "./mail-dispatcher.js";
import { mailService } from "./mail-service.js";

/**
 * Queues a mail with a single-use link to set a password, within a transaction of the user's tenant. An earlier link
 * becomes invalid at once. The mail is sent after the commit, and `tick` retries it. Call it after any change of the
 * credential, which would invalidate the link. `reason` goes into the event. 501 `not_configured` without a mailer.
 */
export async function issuePasswordLink(
  ctx: Context,
  user: Pick<User, "id" | "name">,
  purpose: LinkPurpose,
  reason?: string,
): Promise<void> {
  ctx.env.use(mailService).require();
  ctx.env.use(mailDispatcher).listen();
  const credential = await ctx.db.get(credentials, user.id);
  if (!credential) throw new Error(`user ${user.id} has no credential record`);
  const previous = (await ctx.db.get(passwordLinks, user.id))?.value;
  const link = {
    purpose,
    securityVersion: credential.value.securityVersion,
    tokenHash: null,
    expiresAt: timestamp(ctx.request.nowMs + LINK_LIFETIME[purpose]),
    mail: "due",
    tries: 0,
    nextTryAt: ctx.now,
  } as const;
  // A repeated request sends the mail again.
  if (previous) await ctx.update(passwordLinks, previous, link, { touch: true });
  else await ctx.insert(passwordLinks, { id: user.id, ...link });
  await ctx.emit({
    type: "user.password_link_issued",
    subject: { id: user.id, type: "user", path: `/api/v1/users/${user.id}` },
    data: {
      entity: { type: "user", id: user.id, name: user.name },
      purpose,
      ...(reason === undefined ? {} : { reason }),
    },
  });
}
