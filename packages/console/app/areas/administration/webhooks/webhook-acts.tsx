import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { TextField } from "../../../ui/text-field.js";
import type { Webhook } from "../terms.js";
import type { Issued } from "./secret.js";
import { meantBy, type Said, saidOf, WebhookFields } from "./webhook-fields.js";

interface WebhookActsProps {
  readonly webhook: Webhook;
  readonly onIssued: (issued: Issued) => void;
}

const STALE = ["webhook"] as const;
const PATH = "/api/v1/webhooks/{id}";
const words = t.webhooks;

/** Changes a webhook as it was on the screen, stops it, has it send again, or removes it. */
export function WebhookActs({ webhook, onIssued }: WebhookActsProps) {
  const navigate = useNavigate();
  const { id, name, status } = webhook;
  const [said, setSaid] = useState<Said>(() => saidOf(webhook));
  const [since, setSince] = useState("");
  const at = { params: { path: { id } } };
  const seen = { ...at, ifMatch: webhook };
  const rotate = async () => onIssued({ name, ...(await client.POST(`${PATH}/secret`, at)).data });
  const remove = async () => {
    await client.DELETE(PATH, seen);
    await navigate({ to: "/administration/webhooks" });
  };
  return (
    <>
      <ReasonedAct
        isPlain
        label={words.change}
        stale={STALE}
        onOpen={() => setSaid(saidOf(webhook))}
        act={() => client.PATCH(PATH, { ...seen, body: meantBy(said) })}
      >
        <WebhookFields said={said} onChange={setSaid} />
      </ReasonedAct>
      <ReasonedAct isPlain label={words.rotate} hint={words.rotateHint} stale={STALE} act={rotate} />
      <ReasonedAct
        label={words.replay}
        hint={words.replayHint}
        stale={STALE}
        onOpen={() => setSince("")}
        act={(why) => client.POST(`${PATH}/replay`, { ...at, body: { since: new Date(since).toISOString(), ...why } })}
      >
        <TextField
          label={words.since}
          hint={words.sinceHint}
          type="datetime-local"
          required
          value={since}
          onChange={setSince}
        />
      </ReasonedAct>
      <ReasonedAct
        isShown={status === "active"}
        label={words.disable}
        hint={words.disableHint}
        tone="danger"
        stale={STALE}
        act={(body) => client.POST(`${PATH}/disable`, { ...at, body })}
      />
      <ReasonedAct
        isShown={status === "disabled"}
        label={words.enable}
        hint={words.enableHint}
        stale={STALE}
        act={(body) => client.POST(`${PATH}/enable`, { ...at, body })}
      />
      <ReasonedAct isPlain label={words.remove} hint={words.removeHint} tone="danger" stale={STALE} act={remove} />
    </>
  );
}
