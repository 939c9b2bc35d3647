import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import type { Item } from "../terms.js";

interface BulkProps {
  readonly certificationId: string;
  readonly items: readonly Item[];
  readonly open: readonly Item[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: readonly string[]) => void;
}

interface Result {
  readonly decision: "keep" | "revoke";
  readonly done: number;
  readonly refused: readonly { readonly name: string; readonly because: readonly string[] }[];
}

/** Decides several items at once, where nothing speaks against it. The server says why others must be looked at alone. */
export function Bulk({ certificationId, items, open, chosen, onChoose }: BulkProps) {
  const cache = useQueryClient();
  const [reason, setReason] = useState("");
  const decide = useMutation({
    mutationFn: async (decision: Result["decision"]): Promise<Result> => {
      const params = { path: { id: certificationId } };
      const marked = open
        .filter(({ id }) => chosen.has(id))
        .map(({ id, snapshotVersion }) => ({ id, expectedSnapshotVersion: snapshotVersion }));
      const at = "/api/v1/access-certifications/{id}/items" as const;
      const { done, refused } =
        decision === "keep"
          ? await client
              .POST(`${at}/certify`, { params, body: { items: marked, ...(reason === "" ? {} : { reason }) } })
              .then(({ data }) => ({ done: data.certified, refused: data.refused }))
          : await client
              .POST(`${at}/revoke`, { params, body: { items: marked, reason } })
              .then(({ data }) => ({ done: data.revoked, refused: data.refused }));
      const nameOf = (id: string) => items.find((item) => item.id === id)?.name ?? id;
      return {
        decision,
        done: done.length,
        refused: refused.map(({ id, because }) => ({ name: nameOf(id), because })),
      };
    },
    onSuccess: async () => {
      onChoose([]);
      await cache.invalidateQueries({ queryKey: ["access_certification"] });
    },
  });
  const ids = (some: readonly Item[]) => some.map(({ id }) => id);
  const clean = open.filter(
    ({ recommendation, alone }) => recommendation.value !== "revoke" && alone.certify.length === 0,
  );
  const idle = open.filter(
    ({ recommendation, alone }) => recommendation.value === "revoke" && alone.revoke.length === 0,
  );
  const count = open.filter(({ id }) => chosen.has(id)).length;
  const isIdle = decide.isPending || count === 0;
  const mayRevoke = !isIdle && reason.trim() !== "";
  return (
    <>
      <div className="bulk">
        <button type="button" onClick={() => onChoose(ids(clean))}>
          {t.access.bulk.choose(clean.length)}
        </button>
        {idle.length > 0 && (
          <button type="button" onClick={() => onChoose(ids(idle))}>
            {t.access.bulk.chooseIdle(idle.length)}
          </button>
        )}
        <TextField label={t.access.bulk.reason} type="text" maxLength={2_000} value={reason} onChange={setReason} />
        <button
          type="button"
          className="primary"
          aria-disabled={isIdle}
          onClick={() => isIdle || decide.mutate("keep")}
        >
          {t.access.bulk.keep(count)}
        </button>
        <button
          type="button"
          className="danger"
          aria-disabled={!mayRevoke}
          onClick={() => mayRevoke && decide.mutate("revoke")}
        >
          {t.access.bulk.revoke(count)}
        </button>
      </div>
      {decide.isError && <Failed error={decide.error} />}
      {decide.data && <Outcome result={decide.data} />}
    </>
  );
}

/** What was decided, and what must be looked at alone, with the reasons of the server. */
function Outcome({ result: { decision, done, refused } }: { readonly result: Result }) {
  return (
    <div role="status">
      <p>{t.access.bulk[decision === "keep" ? "kept" : "revoked"](done, refused.length)}</p>
      <ul>
        {refused.map(({ name, because }) => (
          <li key={name}>
            <Text>{name}</Text>
            <div className="muted small">
              <Text>{because.map(t.access.because).join(", ")}</Text>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
