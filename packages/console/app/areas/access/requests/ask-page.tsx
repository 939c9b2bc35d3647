import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { listKey, recordKey } from "../../../api/keys.js";
import { useMe } from "../../../api/me.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import { Facets } from "../../../ui/facets.js";
import { useListSearch } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import { Choice } from "../choice.js";
import { type AskSearch, askSearchOf } from "../search.js";
import { AskFor } from "./ask-for.js";

const words = t.access.ask;

interface PartProps {
  readonly search: AskSearch;
  readonly change: (changed: Partial<AskSearch>) => void;
}

/** Asks for access step by step. What was chosen stands in the address. */
export function AskPage() {
  const { search, change, facet } = useListSearch(askSearchOf);
  return (
    <Page title={words.title}>
      <div className="stack">
        <Facets
          facets={[facet("whose", words.whose, { all: words.all }, words.mine)]}
          onChange={(_key, whose) => change({ whose: whose === "all" ? "all" : undefined })}
        />
        <ChooseAsset search={search} change={change} />
        {search.asset && <ChooseTarget search={search} change={change} asset={search.asset} />}
        {search.asset && search.target && (
          <AskFor key={search.target} search={search} change={change} asset={search.asset} target={search.target} />
        )}
      </div>
    </Page>
  );
}

/** For which agent: one's own, or any. */
function ChooseAsset({ search: { whose, asset }, change }: PartProps) {
  const { id: me } = useMe();
  const query = { ...given({ owner: whose === "all" ? undefined : [me] }), sort: ["name" as const], size: 100 };
  const list = useQuery({
    queryKey: listKey("ai_asset", query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai-assets", { params: { query }, signal })).data,
  });
  return (
    <Loaded query={list}>
      {({ items }) =>
        items.length === 0 ? (
          <p>{words.noAssets}</p>
        ) : (
          <Choice
            label={words.asset}
            options={items.map(({ id, name }) => ({ value: id, label: name }))}
            value={asset}
            onChange={(chosen) => change({ asset: chosen, target: undefined, profile: undefined, resource: undefined })}
          />
        )
      }
    </Loaded>
  );
}

/** In which system, with why not where that is so. */
function ChooseTarget({ asset, search: { target }, change }: PartProps & { readonly asset: string }) {
  const list = useQuery({
    queryKey: recordKey("ai_asset", asset, "targets"),
    queryFn: async ({ signal }) => {
      const params = { path: { assetId: asset }, query: { size: 100 } };
      return (await client.GET("/api/v1/ai-assets/{assetId}/available-access-targets", { params, signal })).data;
    },
  });
  return (
    <Loaded query={list}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty {...words.noTargets} />
        ) : (
          <fieldset className="plain-set">
            <legend>{words.target}</legend>
            {items.map(({ connectorInstanceId: id, name, requestable, notRequestableReason: reason }) => (
              <label key={id} className="choice">
                <input
                  type="radio"
                  name="target"
                  checked={id === target}
                  disabled={!requestable}
                  onChange={() => change({ target: id, profile: undefined, resource: undefined })}
                />
                {name}
                {reason && <span className="muted">{words.blocked(words.blockers[reason])}</span>}
              </label>
            ))}
          </fieldset>
        )
      }
    </Loaded>
  );
}
