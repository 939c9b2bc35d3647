import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Text } from "../../../ui/text.js";
import type { Review } from "../kinds.js";

/** Who uses the asset, and what would stop with it. */
export function Reach({ review: { assetId } }: { readonly review: Review }) {
  const may = useMay();
  if (assetId === null || !may("ai-asset:read")) return null;
  return <ReachOf assetId={assetId} />;
}

function ReachOf({ assetId }: { readonly assetId: string }) {
  const impact = useQuery({
    queryKey: recordKey("ai_asset", assetId, "impact"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-assets/{id}/impact", { params: { path: { id: assetId } }, signal })).data,
  });
  return (
    <section aria-label={t.inbox.reach.title}>
      <h2>{t.inbox.reach.title}</h2>
      <Loaded query={impact}>
        {({ items, complete }) => (
          <>
            {items.length === 0 && <p className="muted">{t.inbox.reach.none}</p>}
            <ul>
              {items.map(({ id, name, assetType, stops }) => (
                <li key={id}>
                  <Text>{name}</Text>
                  {` (${assetType})${stops ? `: ${t.inbox.reach.stops}` : ""}`}
                </li>
              ))}
            </ul>
            {!complete && <p>{t.inbox.reach.more}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}
