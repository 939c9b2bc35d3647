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
import { Choice } from "../choice.js";
import type { Drift } from "../terms.js";

const words = t.access.drift;
type Act = keyof typeof words.acts;
type Repair = Drift["repairs"][number];

/** Has a difference put right, or lets it be. */
export function DriftActs({ drift }: { readonly drift: Drift }) {
  const may = useMay();
  const [act, setAct] = useState<Act>();
  if (drift.status !== "open") return null;
  const acts: readonly Act[] = [
    ...(may("access-drift:repair") && drift.repairs.length > 0 ? (["repair"] as const) : []),
    ...(may("access-drift:decide") ? (["accept", "suppress"] as const) : []),
  ];
  return (
    <div className="decisions">
      {acts.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={words.actOn(words.acts[one], drift.name)}
          onClick={() => setAct(one)}
        >
          {words.acts[one]}
        </button>
      ))}
      {act && <ActDialog drift={drift} act={act} onClose={() => setAct(undefined)} />}
    </div>
  );
}

interface ActDialogProps {
  readonly drift: Drift;
  readonly act: Act;
  readonly onClose: () => void;
}

function ActDialog({ drift, act, onClose }: ActDialogProps) {
  const cache = useQueryClient();
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const [how, setHow] = useState<Repair | undefined>(drift.repairs.length === 1 ? drift.repairs[0] : undefined);
  const because = reason === "" ? {} : { reason };
  const params = { path: { id: drift.id } };
  const done = useMutation({
    mutationFn: async () => {
      if (act === "suppress") await client.POST("/api/v1/access-drift/{id}/suppress", { params, body: because });
      else if (act === "accept")
        await client.POST("/api/v1/access-drift/{id}/accept", {
          params,
          body: { until: new Date(`${until}T00:00:00Z`).toISOString(), ...because },
        });
      else
        await client.POST("/api/v1/access-drift/{id}/repair", {
          params,
          body: { ...(how ? { action: how } : {}), ...because },
        });
    },
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries({ queryKey: ["access_drift"] });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={words.actOn(words.acts[act], drift.name)}
      confirm={words.acts[act]}
      isBusy={done.isPending}
      error={done.error}
      onConfirm={() => done.mutate()}
      onClose={onClose}
    >
      {act === "repair" && (
        <>
          {drift.repairs.length > 1 && (
            <Choice
              label={words.how}
              options={drift.repairs.map((value) => ({ value, label: words.repairs[value] }))}
              value={how}
              onChange={(value) => setHow(drift.repairs.find((one) => one === value))}
            />
          )}
          {how && <Plan drift={drift} how={how} />}
        </>
      )}
      {act === "accept" && <TextField label={words.until} type="date" required value={until} onChange={setUntil} />}
      <TextField label={words.reason} rows={2} maxLength={2_000} value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

/** What a repair would do, as the server says after it has asked the system. */
function Plan({ drift: { id, fingerprint }, how }: { readonly drift: Drift; readonly how: Repair }) {
  const plan = useQuery({
    queryKey: recordKey("access_drift", id, "plan", { how, fingerprint }),
    queryFn: async ({ signal }) => {
      const body = { action: how, dryRun: true };
      return (await client.POST("/api/v1/access-drift/{id}/repair", { params: { path: { id } }, body, signal })).data;
    },
  });
  return (
    <section className="against" aria-label={words.plan}>
      <Loaded query={plan}>{({ effect }) => <Text>{effect}</Text>}</Loaded>
    </section>
  );
}
