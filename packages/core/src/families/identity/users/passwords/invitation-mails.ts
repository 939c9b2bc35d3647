import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { Context } from "#kernel/operation/context.js";
import type { User } from "../schema.js";

/** Mails invited users a link to set their first password, within the transaction that invites them. */
export const invitationMails =
  defineExtensionPoint<(ctx: Context, user: User, reason?: string) => Promise<void>>("identity.invitationMails");
