import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { TextField } from "../../../ui/text-field.js";
import { CONFIG, type ConfigEntry } from "../terms.js";

/** Stores another value of a setting, or takes it back to its default. */
export function SettingActs({ entry }: { readonly entry: ConfigEntry }) {
  const [text, setText] = useState(() => JSON.stringify(entry.value));
  const words = t.provider.settings;
  const path = { key: entry.id };
  const store = async (why: { readonly reason?: string }) => {
    const body = { configuration: { value: parsed(text) }, ...why };
    return entry.source === "stored"
      ? client.POST("/api/v1/support/config/{key}", { params: { path }, ifMatch: entry, body })
      : client.POST("/api/v1/support/config", { body: { name: entry.id, ...body } });
  };
  return (
    <>
      <ReasonedAct
        label={words.change}
        name={words.changeOne(entry.id)}
        title={entry.id}
        hint={entry.description}
        isReasonRequired
        stale={CONFIG}
        act={store}
        onOpen={() => setText(JSON.stringify(entry.value))}
      >
        <p>{words.byDefault(JSON.stringify(entry.default))}</p>
        <TextField label={words.value} hint={words.valueHint} required value={text} onChange={setText} />
      </ReasonedAct>{" "}
      <ReasonedAct
        isShown={entry.source === "stored"}
        label={words.reset}
        name={words.resetOne(entry.id)}
        isReasonRequired
        stale={CONFIG}
        act={({ reason = "" }) =>
          client.DELETE("/api/v1/support/config/{key}", { params: { path, query: { reason } }, ifMatch: entry })
        }
      />
    </>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(t.provider.settings.noJson);
  }
}
