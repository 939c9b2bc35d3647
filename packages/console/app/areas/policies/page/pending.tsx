import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay, useMe } from "../../../api/me.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { Time } from "../../../ui/time.js";
import { Difference } from "../../../ui/versions/difference.js";
import type { Policy } from "../terms.js";
import { useActivation } from "./activation.js";
import { useReadAgain } from "./policy-query.js";

const words = t.policies.pending;

/** What waits for a second person: what is asked for, by whom, and the decision of who may take it. */
export function Pending({ policy }: { readonly policy: Policy }) {
  const { pending } = policy;
  const { query } = useActivation(policy);
  if (!pending) return null;
  const by = query.data?.people.find(({ id }) => id === pending.by)?.name ?? pending.by;
  return (
    <section className="usable" aria-label={words.title}>
      <h2>{words.title}</h2>
      <DefinitionList
        items={[
          [words.asked, asked(pending)],
          [words.by, <Text key="b">{by}</Text>],
          [words.since, <Time key="t" at={pending.at} />],
          [words.reason, <Text key="r">{pending.reason ?? t.none}</Text>],
        ]}
      />
      {pending.change && (
        <Difference
          label={words.changes}
          older={policy as unknown as Readonly<Record<string, unknown>>}
          newer={{ ...policy, ...pending.change }}
          fields={fieldsOf(pending.change)}
        />
      )}
      <Decide policy={policy} pending={pending} />
    </section>
  );
}

/** The fields of a change with their names. */
const fieldsOf = (change: object) =>
  Object.fromEntries(Object.keys(change).map((field) => [field, t.policies.fields[field] ?? field]));

type Asked = NonNullable<Policy["pending"]>;

function asked({ status, change }: Asked): string {
  const moves = status === "active" ? words.asks.active : status && words.asks.other(t.policies.statuses[status]);
  return [moves, change ? words.change : null].filter(Boolean).join(", ");
}

function Decide({ policy, pending }: { readonly policy: Policy; readonly pending: Asked }) {
  const may = useMay();
  const me = useMe();
  const { mine } = useActivation(policy);
  const readAgain = useReadAgain();
  const [decision, setDecision] = useState<"confirm" | "decline">();
  const [reason, setReason] = useState("");
  const send = useMutation({
    mutationFn: (chosen: "confirm" | "decline") =>
      client.POST("/api/v1/ai-governance/policies/{id}/pending", {
        params: { path: { id: policy.id } },
        body: { decision: chosen, digest: pending.digest, ...(reason === "" ? {} : { reason }) },
      }),
    onSuccess: async () => {
      setDecision(undefined);
      await readAgain();
    },
    onError: (error) => (isOvertaken(error) ? readAgain() : undefined),
  });
  if (!may("ai-policy:activate")) return null;
  const decline = pending.by === me.id ? words.decline_own : words.decline;
  const titles = { confirm: words.confirm, decline };
  return (
    <>
      {mine?.conflict && (
        <p className="against">
          {words.own} <Text>{mine.conflict}</Text>
        </p>
      )}
      <div className="decisions">
        {mine?.mayDecide && (
          <button type="button" className="primary" onClick={() => setDecision("confirm")}>
            {words.confirm}
          </button>
        )}
        <button type="button" onClick={() => setDecision("decline")}>
          {decline}
        </button>
      </div>
      <ConfirmDialog
        isOpen={decision !== undefined}
        title={decision ? `${titles[decision]}: ${asked(pending)}` : ""}
        confirm={decision ? titles[decision] : ""}
        isBusy={send.isPending}
        error={send.error}
        onConfirm={() => decision && send.mutate(decision)}
        onClose={() => {
          setDecision(undefined);
          send.reset();
        }}
      >
        <TextField label={words.reason} rows={2} value={reason} maxLength={2000} onChange={setReason} />
      </ConfirmDialog>
    </>
  );
}
