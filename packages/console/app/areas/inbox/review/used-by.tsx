import type { components } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { Text } from "../../../ui/text.js";

type Asset = NonNullable<components["schemas"]["ReviewOpening"]["asset"]>;

const words = t.opening;

/** What an asset uses and stands or falls with, by name: its model, tools, server and identity. */
export function UsedBy({ asset: { uses, usesComplete } }: { readonly asset: Asset }) {
  if (uses.length === 0) return <p>{words.usesNothing}</p>;
  return (
    <>
      <p>{words.uses}</p>
      <ul>
        {uses.map(({ relation, direction, id, name, assetType }) => (
          <li key={`${direction} ${relation} ${id}`}>
            {words.relations[direction][relation]} <Text>{name ?? id}</Text>
            {assetType && ` (${t.estate.types[assetType]})`}
          </li>
        ))}
      </ul>
      {!usesComplete && <p>{words.usesMore}</p>}
    </>
  );
}
