import type { OwnEvents } from "../events.js";

export const governanceEvents: OwnEvents = {
  "decision.allowed":
    "Somebody asked whether an action may be done, and it may. `data` holds who, what and on what by type and id, the rules that decided, digests of action and input, and listed values; never other properties.",
  "decision.denied": "As before, and the action may not be done; `outcome` is `denied`.",
  "decision.approval_required":
    "As before, and the action waits for somebody's approval; `data.approvalId` names the request. `outcome` is `denied`.",
  "decision.watched":
    "As before, and the action would have been denied or would have waited, as `data.status` says. It was let pass by the watch in `data.watchId`.",
  "decision_approval.used":
    "An approval for more than one use was used, and may be used again. `data` holds `decisionId`, `uses` and `usesLeft`; `null` for until it ends.",
  "policy_pack.installed":
    "Somebody installed a pack of policies or brought it up to date. `data` holds its `version` and how many policies that made, changed and left as they were.",
  "policy.change_requested":
    "Somebody asked to put a policy in force, or to change one that holds something back or take it out of force. `data.pending` says what.",
  "policy.change_declined": "What was asked for was declined or taken back. `data.declined` says what.",
  "review.recorded":
    "Somebody did something about a finding, which is the subject. `data.review` says what, and the status before and after.",
  "exemption.expiring":
    "An approved exemption ends in 14 days, and again in 3. `data` holds `expiresAt`, `requestedBy` and `approvedBy`.",
};
