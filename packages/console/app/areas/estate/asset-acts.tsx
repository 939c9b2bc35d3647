import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { isOvertaken } from "../../api/problem.js";
import { t } from "../../texts/index.js";
import { ConfirmDialog } from "../../ui/confirm-dialog.js";
import { Field } from "../../ui/field.js";
import { type Asset, LIFECYCLE } from "./terms.js";

type Act = "review" | "suspend" | "lifecycle";

const AFTER = { review: "under_review", suspend: "suspended" } as const;

/** What a person may do about an asset. Each act is sent with the version that is on the screen. */
export function AssetActs({ asset }: { readonly asset: Asset }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [act, setAct] = useState<Act>();
  const [reason, setReason] = useState("");
  const [lifecycle, setLifecycle] = useState(asset.status);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["ai_asset"] });
  const send = useMutation({
    mutationFn: async (chosen: Act) => {
      const init = { params: { path: { id: asset.id } }, ifMatch: asset };
      const why = reason === "" ? {} : { reason };
      return chosen === "lifecycle"
        ? client.PATCH("/api/v1/ai-assets/{id}/lifecycle", { ...init, body: { status: lifecycle, ...why } })
        : client.PATCH("/api/v1/ai-assets/{id}/governance-state", { ...init, body: { status: AFTER[chosen], ...why } });
    },
    onSuccess: () => {
      setAct(undefined);
      return refresh();
    },
    // The new state is shown behind the words that say so.
    onError: (error) => (isOvertaken(error) ? refresh() : undefined),
  });
  const open = (chosen: Act) => {
    send.reset();
    setReason("");
    setAct(chosen);
  };
  const canReview = ["unreviewed", "rejected", "expired"].includes(asset.governanceState);
  const isStopped = asset.governanceState === "suspended";
  const words = t.estate.acts;
  return (
    <>
      {may("ai-governance:review") && canReview && (
        <button type="button" onClick={() => open("review")}>
          {words.review}
        </button>
      )}
      {may("ai-asset:lifecycle") && (
        <button type="button" onClick={() => open("lifecycle")}>
          {words.lifecycle}
        </button>
      )}
      {may("ai-governance:suspend") && !isStopped && (
        <button type="button" className="danger" onClick={() => open("suspend")}>
          {words.suspend}
        </button>
      )}
      <ConfirmDialog
        isOpen={act !== undefined}
        title={act ? words.titles[act](asset.name) : ""}
        confirm={act ? words[act] : ""}
        tone={act === "suspend" ? "danger" : "primary"}
        isBusy={send.isPending}
        error={send.error}
        onConfirm={() => act && send.mutate(act)}
        onClose={() => setAct(undefined)}
      >
        {act && <p>{words.does[act]}</p>}
        {act === "lifecycle" && (
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
        )}
        <Field label={words.reason}>
          {(ids) => (
            <textarea {...ids} value={reason} maxLength={2000} onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
      </ConfirmDialog>
    </>
  );
}
