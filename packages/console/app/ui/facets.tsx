import { useId } from "react";
import { t } from "../texts/index.js";

/** A filter with its choices, of which one or none is taken. */
export interface Facet {
  readonly key: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  /** What is shown when nothing is chosen. */
  readonly all?: string;
}

interface FacetsProps {
  readonly facets: readonly Facet[];
  /** Takes the change into the address, so that it can be sent. */
  readonly onChange: (key: string, value: string | undefined) => void;
  readonly onClear?: () => void;
}

/** Filters over a list. What is chosen stands in the address of the page. */
export function Facets({ facets, onChange, onClear }: FacetsProps) {
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
      {onClear && facets.some(({ value }) => value !== undefined) && (
        <button type="button" className="quiet" onClick={onClear}>
          {t.facets.clear}
        </button>
      )}
    </fieldset>
  );
}
