import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { TextField } from "../../../ui/text-field.js";

const EMPTY = { toUsername: "", endsAt: "" };
const words = t.notices.delegations;

/** Has another person stand in, who is named by address: not everybody may list the people of the organisation. */
export function Give() {
  const [said, setSaid] = useState(EMPTY);
  return (
    <ReasonedAct
      label={words.give}
      isMain
      stale={["delegation"]}
      onOpen={() => setSaid(EMPTY)}
      act={(why) => client.POST("/api/v1/me/delegations", { body: { ...said, ...why } })}
    >
      <TextField
        label={words.username}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={said.toUsername}
        onChange={(toUsername) => setSaid({ ...said, toUsername })}
      />
      <TextField
        label={words.ends}
        hint={words.endsHint}
        type="date"
        required
        value={said.endsAt}
        onChange={(endsAt) => setSaid({ ...said, endsAt })}
      />
    </ReasonedAct>
  );
}
