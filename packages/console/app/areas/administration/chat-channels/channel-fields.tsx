import { t } from "../../../texts/index.js";
import { Choices } from "../../../ui/choices.js";
import { Select } from "../../../ui/select.js";
import { TextField } from "../../../ui/text-field.js";
import { KINDS, type Kind } from "../../notices/terms.js";
import type { ChatChannel } from "../terms.js";

/** What one says of a channel. The address is empty where it stays as it is. */
export interface Said {
  readonly name: string;
  readonly app: ChatChannel["app"];
  readonly url: string;
  readonly kinds: readonly Kind[];
  readonly language: ChatChannel["language"];
}

/** A channel that does not exist yet, with the kinds that most channels get. */
export const NEW: Said = {
  ...{ name: "", app: "slack", url: "", language: "en" },
  kinds: ["waiting", "overdue", "critical_finding", "halt"],
};

interface ChannelFieldsProps {
  readonly said: Said;
  /** Whether it exists: then its program stays, and its address unless a new one is entered. */
  readonly isThere: boolean;
  readonly onChange: (said: Said) => void;
}

const words = t.chatChannels;
const named = <Name extends string>(names: Readonly<Record<Name, string>>) =>
  (Object.keys(names) as Name[]).map((value) => ({ value, label: names[value] }));

/** The fields of a channel. Its address is entered, and never shown. */
export function ChannelFields({ said, isThere, onChange }: ChannelFieldsProps) {
  const change = (some: Partial<Said>) => onChange({ ...said, ...some });
  return (
    <>
      <TextField
        label={words.columns.name}
        required
        maxLength={200}
        value={said.name}
        onChange={(name) => change({ name })}
      />
      {!isThere && (
        <Select
          label={words.columns.app}
          options={named(words.apps)}
          value={said.app}
          onChange={(app) => change({ app: app as Said["app"] })}
        />
      )}
      <TextField
        label={words.url}
        hint={isThere ? words.urlKept : words.urlHint}
        type="url"
        required={!isThere}
        maxLength={2_000}
        autoComplete="off"
        value={said.url}
        onChange={(url) => change({ url })}
      />
      <Choices
        label={words.columns.kinds}
        all={KINDS}
        named={t.notices.kinds}
        chosen={said.kinds}
        onChange={(kinds) => change({ kinds })}
      />
      <Select
        label={words.columns.language}
        options={named(words.languages)}
        value={said.language}
        onChange={(language) => change({ language: language as Said["language"] })}
      />
    </>
  );
}
