import { useState } from "react";
import { client } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";
import { ReasonedAct } from "../../ui/reasoned-act.js";
import { ACTIONS, type Action, type Finding } from "./terms.js";

const REASONS = ["false_positive", "not_applicable", "duplicate"] as const;

/** What one may do about a finding in its state. Each is sent with the version on the screen. */
export function FindingActs({ finding }: { readonly finding: Finding }) {
  const may = useMay();
  const [code, setCode] = useState<(typeof REASONS)[number]>("false_positive");
  return Object.entries(ACTIONS).map(([name, { from, permission }]) => (
    <ReasonedAct
      key={name}
      label={t.findings.actions[name as keyof typeof t.findings.actions]}
      title={t.findings.ask}
      isShown={from.includes(finding.status) && may(permission)}
      stale={["finding"]}
      act={(why) =>
        client.POST("/api/v1/ai-governance/findings/{id}/review-actions", {
          params: { path: { id: finding.id } },
          ifMatch: finding,
          body: { action: name as Action, ...why, ...(name === "dismiss" ? { reasonCode: code } : {}) },
        })
      }
    >
      {name === "dismiss" && (
        <Field label={t.findings.reasonCode} hint={t.findings.twoPeople}>
          {(ids) => (
            <select {...ids} value={code} onChange={({ target }) => setCode(target.value as typeof code)}>
              {REASONS.map((value) => (
                <option key={value} value={value}>
                  {t.findings.reasons[value]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </ReasonedAct>
  ));
}
