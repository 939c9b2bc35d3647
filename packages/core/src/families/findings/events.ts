import type { OwnEvents } from "../events.js";

export const findingEvents: OwnEvents = {
  "finding.opened":
    "An evaluation found something for the first time. `data.after` is the finding, and says in `baseline` whether an imported asset brought it along.",
  "finding.updated": "Something about it changed that none of the following says.",
  "finding.resolved":
    "An evaluation did not find it any more. `data` of this and the following holds `from`, `to`, `changes` and what brought it about.",
  "finding.reopened": "It came back after it had been resolved or closed, or somebody reopened what was dismissed.",
  "finding.fix_refuted":
    "A fix was claimed, and an evaluation found it again. It is open, and `refutedFixes` counts it.",
  "finding.exempted": "An approved exemption covers it from now on; `data.changes` names it.",
  "finding.voided":
    "A dismissal or an exemption no longer holds, as the evidence it was given for has changed or the severity has risen.",
  "finding.closed": "Its policy or its asset is gone or out of use.",
  "finding.sla_breached": "It was open beyond its due date; once in each episode. `data` holds `dueAt` and `severity`.",
};
