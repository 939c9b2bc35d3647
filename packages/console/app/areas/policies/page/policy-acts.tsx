import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Field } from "../../../ui/field.js";
import type { Policy, PolicyStatus } from "../terms.js";
import { useActivation } from "./activation.js";
import { useReadAgain } from "./policy-query.js";

const words = t.policies;

/** Where each move leads, and from where. The server says whether it may be made. */
const MOVES = {
  observe: { to: "observe", from: ["draft", "active", "disabled"] },
  activate: { to: "active", from: ["draft", "observe", "disabled"] },
  disable: { to: "disabled", from: ["active", "observe"] },
  archive: { to: "archived", from: ["draft", "disabled"] },
} as const satisfies Record<string, { readonly to: PolicyStatus; readonly from: readonly PolicyStatus[] }>;

type Act = keyof typeof words.does;

/** What one may do about a policy. Each act is sent with the version on the screen. */
export function PolicyActs({ policy }: { readonly policy: Policy }) {
  const { id, status, pending, kind, name } = policy;
  const may = useMay();
  const [act, setAct] = useState<Act>();
  const [reason, setReason] = useState("");
  const readAgain = useReadAgain();
  const { mine } = useActivation(policy);
  const send = useMutation({
    mutationFn: (chosen: Act) => sent(chosen, policy, reason),
    onSuccess: async () => {
      setAct(undefined);
      await readAgain();
    },
    onError: (error) => (isOvertaken(error) ? readAgain() : undefined),
  });
  const open = (chosen: Act) => {
    send.reset();
    setReason("");
    setAct(chosen);
  };
  const canActivate = (MOVES.activate.from as readonly string[]).includes(status);
  const moves = may("ai-policy:activate")
    ? (Object.keys(MOVES) as (keyof typeof MOVES)[]).filter((move) =>
        (MOVES[move].from as readonly string[]).includes(status),
      )
    : [];
  const isEvaluated = status === "observe" || status === "active";
  const asks: readonly Act[] = [
    ...(kind === "posture" && isEvaluated && may("ai-evaluation:run") ? ["evaluate" as const] : []),
    ...moves.filter((move) => move !== "activate" || mine?.mayDecide === true),
    ...(canActivate && may("ai-policy:write") && !pending ? ["request" as const] : []),
  ];
  return (
    <>
      {asks.map((one) => (
        <button
          key={one}
          type="button"
          className={one === "activate" ? "primary" : one === "disable" ? "danger" : ""}
          onClick={() => open(one)}
        >
          {words.acts[one]}
        </button>
      ))}
      <ConfirmDialog
        isOpen={act !== undefined}
        title={act ? `${words.acts[act]}: ${name}` : ""}
        confirm={act ? words.acts[act] : ""}
        tone={act === "disable" ? "danger" : "primary"}
        isBusy={send.isPending}
        error={send.error}
        onConfirm={() => act && send.mutate(act)}
        onClose={() => setAct(undefined)}
      >
        {act && <p>{words.does[act]}</p>}
        {act !== "evaluate" && (
          <Field label={words.reason}>
            {(ids) => (
              <textarea {...ids} value={reason} maxLength={2000} onChange={({ target }) => setReason(target.value)} />
            )}
          </Field>
        )}
      </ConfirmDialog>
    </>
  );

  function sent(chosen: Act, { version }: Policy, said: string): Promise<unknown> {
    const params = { path: { id } };
    const why = said === "" ? {} : { reason: said };
    if (chosen === "evaluate")
      return client.POST("/api/v1/ai-governance/evaluations/run", {
        body: { name: words.runs.title, mode: "full", scope: { policyIds: [id] } },
      });
    if (chosen === "request")
      return client.POST("/api/v1/ai-governance/policies/{id}/activation-request", { params, body: why });
    const body = { status: MOVES[chosen].to, ...why };
    return client.PUT("/api/v1/ai-governance/policies/{id}", { params, ifMatch: { version }, body });
  }
}
