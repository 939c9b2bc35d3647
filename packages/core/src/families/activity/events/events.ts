/** Events that handlers write themselves, beside those that follow from collections and machines. */
export const OWN_EVENTS: Readonly<Record<string, string>> = {
  "user.signed_in": "A user exchanged a password for a token. `data` names the token by its id, never by its text.",
  "support.sql_run":
    "The provider asked a question in SQL. `data` holds the reason, the SHA-256 of the statement, the number of rows and the " +
    "milliseconds, and the code of the error when there was no answer; never the statement.",
  "user.password_changed":
    "A user set a password, by the current one or by a mailed link; every earlier token of the user died.",
  "user.password_link_issued":
    "A user is owed a mail with a link to set a password. `data.purpose` is `invitation` or `reset`; the link itself is in no event.",
  "one_time_code.issued":
    "A code was made for an address, in the platform's own stream. The subject is a keyed hash of the address.",
  "one_time_code.redeemed": "The code was given back in time: the address is proven. Same stream and subject.",
  "support.acted":
    "In the provider's own tenant: one of its people did something to the platform or to a tenant. `data` holds `operation`, `tenantId`, `reason`, `from`, `to` and `metadata`.",
  "tenant.entitlement_changed":
    "The provider granted or revoked a capability, limit or feature. `data` holds `kind`, `key`, `from`, `to` and `reason`.",
  "tenant.kill_switch_moved":
    "The provider engaged or released the switch of this tenant or of one of its assets. `data` holds `key`, `status` and `reason`.",
  "identity.credential_issued":
    "An AI identity got a credential. `data` names it and says when it ends; its secret is nowhere.",
  "identity.credential_rotated": "A credential was replaced; `data.replaces` says until when the old one works.",
  "identity.credential_revoked": "A credential was revoked, and every token of the identity died.",
  "mcp.probed":
    "Somebody had an MCP server probed. `data` holds its `connection`, or the `error` with `code` and `reason`; `outcome` says which.",
  "mcp.scanned":
    "An MCP server was scanned: by somebody, or by the clock where that was news. `data` holds `manifestDigest`, `state` and counts of tools, or the `error`.",
  "mcp.manifest.drifted":
    "An MCP server offers something else than what was approved. `data` holds both digests, the gravest `severity` and all `items` without their fields.",
  "mcp.tool.changed":
    "A tool of that server, the first 64 of them: `data` holds its first five `changes`, each with what it was, what it is and how grave that is, and `changesInAll`.",
  "mcp.tool.approved":
    "Somebody approved what an MCP server was seen to offer. `data` holds `manifestDigest`, `state`, `tools` and `reason`.",
  "mcp.protocol.downgraded":
    "An MCP server that spoke the modern protocol answers only the older handshake. `data` holds both versions.",
  "decision.allowed":
    "Somebody asked whether an action may be done, and it may. `data` holds who, what and on what by type and id, the rules that decided, digests of action and input, and listed values; never other properties.",
  "decision.denied": "As before, and the action may not be done; `outcome` is `denied`.",
  "decision.approval_required":
    "As before, and the action waits for somebody's approval; `data.approvalId` names the request. `outcome` is `denied`.",
  "policy_pack.installed":
    "Somebody installed a pack of policies or brought it up to date. `data` holds its `version` and how many policies that made, changed and left as they were.",
  "finding.opened": "An evaluation found something for the first time. `data.after` is the finding.",
  "finding.updated": "Something about it changed that none of the following says.",
  "finding.resolved":
    "An evaluation did not find it any more. `data` of this and the following holds `from`, `to`, `changes` and what brought it about.",
  "finding.reopened": "It came back after it had been resolved or closed, or somebody reopened what was dismissed.",
  "finding.exempted": "An approved exemption covers it from now on; `data.changes` names it.",
  "finding.voided":
    "A dismissal or an exemption no longer holds, as the evidence it was given for has changed or the severity has risen.",
  "finding.closed": "Its policy or its asset is gone or out of use.",
  "finding.sla_breached": "It was open beyond its due date; once in each episode. `data` holds `dueAt` and `severity`.",
  "review.recorded":
    "Somebody did something about a finding, which is the subject. `data.review` says what, and the status before and after.",
  "exemption.expiring":
    "An approved exemption ends in 14 days, and again in 3. `data` holds `expiresAt`, `requestedBy` and `approvedBy`.",
  "compliance.evidence.added":
    "Somebody attached evidence to the assessment of a control. `data.evidence` says where each piece is and how long it counts.",
  "compliance.evidence.expired":
    "The evidence of an assessment has grown too old, and nothing is assessed any more. `data.from` is what it was.",
  "client.signed_in":
    "An AI identity was given a token: `data` names the token by its id, and for a token exchange the issuer and subject.",
  "user.token_refreshed": "A refresh token was exchanged. `data` names the new access token by its id.",
  "user.refresh_token_reused":
    "A spent refresh token was presented again; every token of its sign-in died. `outcome` is `denied`.",
  "session.ended": "A principal signed out; the token presented, and the sign-in it came from, died.",
  "token.revoked": "A token was revoked by showing it: an access token (`tokenId`) or a whole sign-in (`familyId`).",
  "session.usage_reported":
    "What a session of an agent has spent since the last report. `data` holds `reported`, the `usage` it adds up to, and `metadata`.",
  "session.enforcement_requested":
    "The enforcement points of a session were asked once more. `data` holds the new `epoch`, the `state` and the `reason`.",
  "session.enforcement_acknowledged":
    "An enforcement point said whether a decision about a session is carried out there. `data` holds `pepId`, `epoch`, `outcome`, `detail`, the `state` it leads to and `metadata`.",
  "signing_key.rotated":
    "Another key signs access tokens; in the platform's own stream. `overlap` is false for a key that leaked.",
  "audit.erased":
    "Somebody had the data of events erased. `data` holds the reason, their sequences and, where it was asked for by subject, whose " +
    "they were; the subjects' own activity shows it too.",
  "audit.checkpoint": "A checkpoint of the chain was made: `data.checkpoint`, as the host is given it.",
  "audit.pruned": "Events older than the retention were given up: `data` names their checkpoint and their sequences.",
  "request.denied":
    "A write was refused with 403, 404 or 409. `data` holds the operation, the status and the code, and of a batch how many `items` it was; `outcome` is `denied`.",
};
