import { useId, useState } from "react";
import { namedOf, useNames } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { Facets } from "../../ui/facets.js";
import { TextField } from "../../ui/text-field.js";
import { type ActivitySearch, OUTCOMES, SEVERITIES } from "./search.js";

interface FiltersProps {
  readonly search: ActivitySearch;
  readonly onChange: (changed: Partial<ActivitySearch>) => void;
}

const TEXTS = ["subject", "actor", "words"] as const;
const DATES = ["from", "to"] as const;

/** The filters of the stream: choices are taken at once, texts and dates when they are sent. */
export function ActivityFilters({ search, onChange }: FiltersProps) {
  const id = useId();
  const [given, setGiven] = useState<Partial<Record<(typeof TEXTS)[number] | (typeof DATES)[number], string>>>({});
  const shownOf = (name: keyof typeof given) => given[name] ?? search[name] ?? "";
  const input = (name: keyof typeof given, type: "text" | "date") => (
    <TextField
      key={name}
      label={t.activity.filters[name]}
      type={type}
      maxLength={200}
      value={shownOf(name)}
      onChange={(value) => setGiven({ ...given, [name]: value })}
    />
  );
  const facet = <Name extends string>(key: "outcome" | "severity", names: readonly Name[]) => ({
    key,
    label: t.activity.filters[key],
    options: names.map((value) => ({ value, label: t.activity.choices[value as keyof typeof t.activity.choices] })),
    value: search[key],
  });
  const names = useNames([search.subject, search.actor].flatMap((one) => one ?? []));
  const pinned = (["subject", "actor"] as const).flatMap((key) => {
    const chosen = search[key];
    return chosen === undefined
      ? []
      : [{ key, label: t.activity.filters.named[key], text: namedOf(names, chosen).name ?? chosen }];
  });
  return (
    <>
      <p className="muted">{t.activity.filters.hint}</p>
      <form
        className="filter-form"
        aria-labelledby={id}
        onSubmit={(event) => {
          event.preventDefault();
          onChange(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value || undefined])));
        }}
      >
        <h2 id={id} className="visually-hidden">
          {t.facets.title}
        </h2>
        {TEXTS.map((name) => input(name, "text"))}
        {DATES.map((name) => input(name, "date"))}
        <button type="submit">{t.activity.filters.apply}</button>
      </form>
      <Facets
        facets={[facet("outcome", OUTCOMES), facet("severity", SEVERITIES)]}
        pinned={pinned}
        onChange={(key, value) => {
          setGiven(Object.fromEntries(Object.entries(given).filter(([name]) => name !== key)));
          onChange({ [key]: value });
        }}
        onClear={() => {
          setGiven({});
          onChange({
            subject: undefined,
            actor: undefined,
            words: undefined,
            outcome: undefined,
            severity: undefined,
            from: undefined,
            to: undefined,
          });
        }}
      />
    </>
  );
}
