import { useState } from "react";
import { client } from "../../../api/client.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { TextField } from "../../../ui/text-field.js";

const { watches: words } = t.installations;

const LASTS = [7, 30, 60] as const;
const FRESH = { team: "", days: 30 };
const DAY = 86_400_000;

/** Asks for a watch of a team, or of all. A second person decides it. */
export function AskWatch() {
  const [{ team, days }, set] = useState(FRESH);
  return (
    <ReasonedAct
      label={words.ask}
      hint={words.askHint}
      isMain
      isReasonRequired
      stale={["enforcement_watch"]}
      onOpen={() => set(FRESH)}
      act={({ reason = "" }) => {
        const expiresAt = new Date(Date.now() + days * DAY).toISOString();
        const body = { reason, expiresAt, ...given({ team: team === "" ? undefined : team }) };
        return client.POST("/api/v1/ai/watches", { body });
      }}
    >
      <TextField
        label={words.team}
        hint={words.teamHint}
        maxLength={200}
        value={team}
        onChange={(value) => set((before) => ({ ...before, team: value }))}
      />
      <Field label={words.lasts}>
        {(ids) => (
          <select
            {...ids}
            value={days}
            onChange={({ target }) => set((before) => ({ ...before, days: Number(target.value) }))}
          >
            {LASTS.map((one) => (
              <option key={one} value={one}>
                {words.days[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </ReasonedAct>
  );
}
