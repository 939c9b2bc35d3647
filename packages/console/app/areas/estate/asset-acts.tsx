import { useState } from "react";
import { client } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";
import { ReasonedAct } from "../../ui/reasoned-act.js";
import { type Asset, LIFECYCLE } from "./terms.js";

const words = t.estate.acts;
const STALE = ["ai_asset"];

/** What a person may do about an asset. Each act is sent with the version that is on the screen. */
export function AssetActs({ asset }: { readonly asset: Asset }) {
  const may = useMay();
  const [lifecycle, setLifecycle] = useState(asset.status);
  const init = { params: { path: { id: asset.id } }, ifMatch: asset };
  const govern = (status: "under_review" | "suspended") => (why: { readonly reason?: string }) =>
    client.PATCH("/api/v1/ai-assets/{id}/governance-state", { ...init, body: { status, ...why } });
  const canReview = ["unreviewed", "rejected", "expired"].includes(asset.governanceState);
  const said = (act: "review" | "lifecycle" | "suspend") => ({
    label: words[act],
    title: words.titles[act](asset.name),
    hint: words.does[act],
    stale: STALE,
  });
  return (
    <>
      <ReasonedAct
        {...said("review")}
        isShown={may("ai-governance:review") && canReview}
        act={govern("under_review")}
      />
      {may("ai-asset:lifecycle") && (
        <ReasonedAct
          {...said("lifecycle")}
          act={(why) =>
            client.PATCH("/api/v1/ai-assets/{id}/lifecycle", { ...init, body: { status: lifecycle, ...why } })
          }
          onOpen={() => setLifecycle(asset.status)}
        >
          <Field label={words.target}>
            {(ids) => (
              <select
                {...ids}
                value={lifecycle}
                onChange={({ target }) => setLifecycle(target.value as Asset["status"])}
              >
                {LIFECYCLE.map((value) => (
                  <option key={value} value={value}>
                    {t.estate.lifecycle[value]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </ReasonedAct>
      )}
      <ReasonedAct
        {...said("suspend")}
        isShown={may("ai-governance:suspend") && asset.governanceState !== "suspended"}
        tone="danger"
        isStop
        act={govern("suspended")}
      />
    </>
  );
}
