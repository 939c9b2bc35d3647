import { useId, useState } from "react";
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
  return (
    <>
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
        onChange={(key, value) => onChange({ [key]: value })}
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
