import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { listKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Choices } from "../../../ui/choices.js";
import { Field } from "../../../ui/field.js";
import { Loaded } from "../../../ui/loaded.js";
import { SearchField } from "../../../ui/search-field.js";
import { ENVIRONMENTS, TYPES } from "../../estate/terms.js";
import type { Scope } from "./terms.js";

const words = t.exemptions.ask;

interface ScopeFieldsProps {
  readonly policyKey: string;
  readonly onChange: (scope: Scope | undefined) => void;
}

/** What of a policy's findings is taken in: those on one asset, or on all that fit, for those who may ask for that. */
export function ScopeFields({ policyKey, onChange }: ScopeFieldsProps) {
  const may = useMay();
  const [isBroad, setBroad] = useState(false);
  const [types, setTypes] = useState<readonly (typeof TYPES)[number][]>([]);
  const [environments, setEnvironments] = useState<readonly (typeof ENVIRONMENTS)[number][]>([]);
  const choose = (broad: boolean, chosenTypes = types, chosenEnvironments = environments) => {
    const selector = { assetTypes: [...chosenTypes], environments: [...chosenEnvironments] };
    setBroad(broad);
    onChange(broad ? { policyKey, selector } : undefined);
  };
  return (
    <fieldset className="rule-fields">
      <legend>{words.scope}</legend>
      {may("ai-exemption:broad") &&
        ([false, true] as const).map((broad) => (
          <label key={String(broad)} className="choice">
            <input type="radio" name="scope" checked={isBroad === broad} onChange={() => choose(broad)} />
            {broad ? words.assets : words.oneAsset}
          </label>
        ))}
      {isBroad ? (
        <>
          <Choices
            label={words.types}
            all={TYPES}
            named={t.estate.types}
            chosen={types}
            onChange={(chosen) => {
              setTypes(chosen);
              choose(true, chosen);
            }}
          />
          <Choices
            label={words.environments}
            all={ENVIRONMENTS}
            named={t.estate.environments}
            chosen={environments}
            onChange={(chosen) => {
              setEnvironments(chosen);
              choose(true, types, chosen);
            }}
          />
          <p className="muted small">{words.allIfNone}</p>
        </>
      ) : (
        <OneAsset onChange={(assetId) => onChange(assetId === "" ? undefined : { policyKey, assetId })} />
      )}
    </fieldset>
  );
}

/** One asset, found by its name. */
function OneAsset({ onChange }: { readonly onChange: (assetId: string) => void }) {
  const [search, setSearch] = useState<string>();
  const [chosen, setChosen] = useState("");
  const query = { ...(search === undefined ? {} : { search }), sort: ["name" as const], size: 100 };
  const list = useQuery({
    queryKey: listKey("ai_asset", query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai-assets", { params: { query }, signal })).data,
    placeholderData: (before) => before,
  });
  return (
    <>
      <SearchField label={words.searchAsset} value={search} onChange={setSearch} />
      <Loaded query={list}>
        {({ items }) => (
          <Field label={words.asset}>
            {(ids) => (
              <select
                {...ids}
                required
                value={chosen}
                onChange={({ target }) => {
                  setChosen(target.value);
                  onChange(target.value);
                }}
              >
                <option value="">{items.length === 0 ? words.noAsset : ""}</option>
                {items.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </Loaded>
    </>
  );
}
