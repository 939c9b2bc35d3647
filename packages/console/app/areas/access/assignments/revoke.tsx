import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Loaded } from "../../../ui/loaded.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { type Assignment, canBeRevoked, type Usage } from "../terms.js";

const words = t.access.assignment;

interface RevokeProps {
  readonly assignment: Assignment;
  readonly usage: Usage;
}

/** Ends access, after it was shown what that may break. */
export function Revoke({ assignment, usage }: RevokeProps) {
  const { id, name } = assignment;
  const may = useMay();
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const revoke = useMutation({
    mutationFn: () =>
      client.POST("/api/v1/access-assignments/{id}/revoke", {
        params: { path: { id } },
        body: reason === "" ? {} : { reason },
      }),
    onSuccess: async () => {
      setOpen(false);
      await cache.invalidateQueries({ queryKey: ["access_assignment"] });
    },
  });
  if (!may("access-assignment:revoke") || !canBeRevoked(assignment)) return null;
  return (
    <>
      <button type="button" className="danger" onClick={() => setOpen(true)}>
        {words.revoke}
      </button>
      <ConfirmDialog
        isOpen={isOpen}
        title={words.revokes(name)}
        confirm={words.revoke}
        tone="danger"
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
        onClose={() => {
          setOpen(false);
          revoke.reset();
        }}
      >
        {isOpen && <Breaks assignment={assignment} usage={usage} />}
        <TextField label={words.reason} rows={2} maxLength={2_000} value={reason} onChange={setReason} />
      </ConfirmDialog>
    </>
  );
}

/** How it was used, what of the agent runs now, and what depends on the agent. */
function Breaks({ assignment: { assetId }, usage: { total, days, usageState } }: RevokeProps) {
  const may = useMay();
  const query = { agentId: [assetId], status: ["active" as const], size: 1 };
  const running = useQuery({
    enabled: may("ai-session:read"),
    queryKey: recordKey("ai_asset", assetId, "running", query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai/sessions", { params: { query }, signal })).data,
  });
  const impact = useQuery({
    enabled: may("ai-asset:read"),
    queryKey: recordKey("ai_asset", assetId, "impact"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-assets/{id}/impact", { params: { path: { id: assetId } }, signal })).data,
  });
  const unseen = usageState === "unknown" ? words.useUnknown : words.notUsed;
  return (
    <section className="against" aria-label={words.breaks}>
      <h3>{words.breaks}</h3>
      <p>{total > 0 ? words.usedLately(total, days) : unseen}</p>
      {may("ai-session:read") && (
        <Loaded query={running}>
          {({ totalItems, totalRelation }) => <p>{words.running(totalItems, totalRelation !== "exact")}</p>}
        </Loaded>
      )}
      {may("ai-asset:read") && (
        <Loaded query={impact}>
          {({ items }) =>
            items.length > 0 && (
              <>
                <p>{words.depends}</p>
                <ul>
                  {items.map((one) => (
                    <li key={one.id}>
                      <Text>{one.name}</Text>
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      )}
    </section>
  );
}
