import { useId } from "react";
import { t } from "../texts/index.js";
import { Text } from "./text.js";

/** A filter with its choices, of which one or none is taken. */
export interface Facet {
  readonly key: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  /** What is shown when nothing is chosen. */
  readonly all?: string;
}

/** A filter that came with the address, for which the page has no list of choices. */
export interface PinnedFilter {
  readonly key: string;
  readonly label: string;
  /** What it leaves, in words. */
  readonly text: string;
}

interface FacetsProps {
  readonly facets: readonly Facet[];
  /** Shown as well, so that one sees all that narrows the list down, and can take it away. */
  readonly pinned?: readonly PinnedFilter[];
  /** Takes the change into the address, so that it can be sent. */
  readonly onChange: (key: string, value: string | undefined) => void;
  readonly onClear?: () => void;
}

/** Filters over a list. What is chosen stands in the address of the page. */
export function Facets({ facets, pinned = [], onChange, onClear }: FacetsProps) {
  const id = useId();
  return (
    <fieldset className="facets">
      <legend className="visually-hidden">{t.facets.title}</legend>
      {facets.map(({ key, label, options, value, all = t.facets.all }) => (
        <div key={key} className="facet">
          <label htmlFor={`${id}-${key}`}>{label}</label>
          <select
            id={`${id}-${key}`}
            value={value ?? ""}
            onChange={({ target }) => onChange(key, target.value === "" ? undefined : target.value)}
          >
            <option value="">{all}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </div>
      ))}
      {pinned.map(({ key, label, text }) => (
        <div key={key} className="facet">
          <span className="facet-label">{label}</span>
          <span className="facet-pinned">
            <Text>{text}</Text>
            <button
              type="button"
              className="quiet"
              aria-label={t.facets.removeOf(label)}
              onClick={() => onChange(key, undefined)}
            >
              {t.facets.remove}
            </button>
          </span>
        </div>
      ))}
      {onClear && (pinned.length > 0 || facets.some(({ value }) => value !== undefined)) && (
        <button type="button" className="quiet" onClick={onClear}>
          {t.facets.clear}
        </button>
      )}
    </fieldset>
  );
}
