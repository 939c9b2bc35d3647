import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { invitationMails } from "../users/passwords/invitation-mails.js";
import { inviteUser, setPassword } from "./operations.js";
import { passwordLinks } from "./schema.js";
import { issuePasswordLink } from "./send/issue.js";

/** Links with which people set a password. */
export const passwordLinksResource = defineResource({
  collections: [passwordLinks],
  operations: [setPassword, inviteUser],
  extends: [extend(invitationMails, (ctx, user, reason) => issuePasswordLink(ctx, user, "invitation", reason))],
});
