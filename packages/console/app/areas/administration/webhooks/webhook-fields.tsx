import { t } from "../../../texts/index.js";
import { TextField } from "../../../ui/text-field.js";
import type { Webhook } from "../terms.js";

/** What one says of a webhook. Types of events stand one a line. */
export interface Said {
  readonly name: string;
  readonly url: string;
  readonly types: string;
}

export const NEW: Said = { name: "", url: "", types: "" };
export const saidOf = ({ name, url, types }: Webhook): Said => ({ name, url, types: types.join("\n") });

/** What a form means, as the API takes it. */
export const meantBy = ({ name, url, types }: Said) => ({
  ...{ name, url },
  types: types.split(/\s+/).filter((type) => type !== ""),
});

const { columns, typesHint } = t.webhooks;

/** The fields of a webhook. */
export function WebhookFields({ said, onChange }: { readonly said: Said; readonly onChange: (said: Said) => void }) {
  return (
    <>
      <TextField
        label={columns.name}
        required
        maxLength={200}
        value={said.name}
        onChange={(name) => onChange({ ...said, name })}
      />
      <TextField
        label={columns.url}
        type="url"
        required
        maxLength={2_000}
        value={said.url}
        onChange={(url) => onChange({ ...said, url })}
      />
      <TextField
        label={columns.types}
        hint={typesHint}
        rows={3}
        value={said.types}
        onChange={(types) => onChange({ ...said, types })}
      />
    </>
  );
}
