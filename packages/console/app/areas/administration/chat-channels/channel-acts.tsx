import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { AddAct } from "../../../ui/add-act.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { plainText } from "../../../ui/text.js";
import type { ChatChannel } from "../terms.js";
import { ChannelFields, NEW, type Said } from "./channel-fields.js";

const STALE = ["chat_channel"] as const;
const PATH = "/api/v1/chat-channels";
const words = t.chatChannels;

/** Adds a channel. */
export function AddChannel() {
  const add = (said: Said) => client.POST(PATH, { body: { ...said, kinds: [...said.kinds] } });
  return (
    <AddAct label={words.add} hint={words.addHint} stale={STALE} fresh={NEW} add={add}>
      {(said, onChange) => <ChannelFields said={said} isThere={false} onChange={onChange} />}
    </AddAct>
  );
}

interface ChannelActsProps {
  readonly channel: ChatChannel;
  readonly onTest: () => void;
}

/** Tests a channel, changes it as it was on the screen, or removes it. */
export function ChannelActs({ channel, onTest }: ChannelActsProps) {
  const { id, name, app, kinds, language } = channel;
  const held = { name, app, kinds, language, url: "" };
  const [said, setSaid] = useState<Said>(held);
  const params = { path: { id } };
  const change = async () => {
    const { url, app: _app, ...others } = said;
    const body = { ...others, kinds: [...said.kinds], ...(url === "" ? {} : { url }) };
    await client.PATCH(`${PATH}/{id}`, { params, ifMatch: channel, body });
  };
  const shown = plainText(name);
  return (
    <div className="page-actions">
      <button type="button" aria-label={words.testOne(shown)} onClick={onTest}>
        {words.test}
      </button>
      <ReasonedAct
        isPlain
        label={words.change}
        name={words.changeOne(shown)}
        title={words.changeOne(shown)}
        stale={STALE}
        onOpen={() => setSaid(held)}
        onClose={() => setSaid(held)}
        act={change}
      >
        <ChannelFields said={said} isThere onChange={setSaid} />
      </ReasonedAct>
      <ReasonedAct
        isPlain
        label={words.remove}
        name={words.removeOne(shown)}
        title={words.removeOne(shown)}
        hint={words.removeHint}
        tone="danger"
        stale={STALE}
        act={() => client.DELETE(`${PATH}/{id}`, { params, ifMatch: channel })}
      />
    </div>
  );
}
