import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay, useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Loaded } from "../../../ui/loaded.js";
import { Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { Time } from "../../../ui/time.js";
import type { FactorReset, User } from "../terms.js";

/** Lost second factors: one person asks to remove them, another one decides. */
export function FactorResets({ user }: { readonly user: User }) {
  const may = useMay()("user:write");
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const key = ["second_factor_reset", user.id] as const;
  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/second-factor-resets", { params: { query: { userId: [user.id] } }, signal })).data,
  });
  const ask = useMutation({
    mutationFn: () => client.POST("/api/v1/second-factor-resets", { body: { userId: user.id, reason } }),
    onSuccess: () => setAsking(false),
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  });
  const { resets } = t.administration;
  return (
    <section>
      <h2>{resets.title}</h2>
      <Loaded query={list}>
        {({ items }) => (
          <ol className="timeline">
            {items.map((reset) => (
              <Reset
                key={reset.id}
                reset={reset}
                may={may}
                onDecided={() => cache.invalidateQueries({ queryKey: key })}
              />
            ))}
            {items.length === 0 && <li className="muted">{resets.none}</li>}
          </ol>
        )}
      </Loaded>
      {may && (
        <button type="button" onClick={() => setAsking(true)}>
          {resets.ask}
        </button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={resets.ask}
        confirm={resets.send}
        isBusy={ask.isPending}
        error={ask.error}
        onConfirm={() => ask.mutate()}
        onClose={() => {
          setAsking(false);
          ask.reset();
        }}
      >
        <p>{resets.hint}</p>
        <TextField label={t.administration.acts.reason} required maxLength={500} value={reason} onChange={setReason} />
      </ConfirmDialog>
    </section>
  );
}

interface ResetProps {
  readonly reset: FactorReset;
  readonly may: boolean;
  readonly onDecided: () => void;
}

function Reset({ reset, may, onDecided }: ResetProps) {
  const { id: me } = useMe();
  const decide = useMutation({
    mutationFn: (decision: "approve" | "decline") =>
      client.POST("/api/v1/second-factor-resets/{id}/decision", {
        params: { path: { id: reset.id } },
        body: { decision },
      }),
    onSettled: onDecided,
  });
  const { resets } = t.administration;
  const isOpen = reset.status === "requested";
  return (
    <li>
      <Time at={reset.createdAt} /> <Text>{reset.reason}</Text> {resets.states[reset.status]}
      {isOpen && reset.requestedBy === me && <p className="muted">{resets.own}</p>}
      {isOpen && may && reset.requestedBy !== me && (
        <div className="decisions">
          <button type="button" className="primary" onClick={() => decide.mutate("approve")}>
            {resets.approve}
          </button>
          <button type="button" onClick={() => decide.mutate("decline")}>
            {resets.decline}
          </button>
        </div>
      )}
      {decide.isError && <Failed error={decide.error} />}
    </li>
  );
}
