import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay, useMe } from "../../../api/me.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Field } from "../../../ui/field.js";
import type { Exemption } from "./terms.js";

const words = t.exemptions;
type Act = keyof typeof words.does;

const PATHS = {
  approve: "/api/v1/ai-governance/exemptions/{id}/approve",
  reject: "/api/v1/ai-governance/exemptions/{id}/reject",
  withdraw: "/api/v1/ai-governance/exemptions/{id}/withdraw",
  revoke: "/api/v1/ai-governance/exemptions/{id}/revoke",
} as const;

/** What one may do about an exemption. Each act is sent with the version on the screen; the server says who may decide. */
export function ExemptionActs({ exemption }: { readonly exemption: Exemption }) {
  const { id, status, requestedBy, name } = exemption;
  const may = useMay();
  const me = useMe();
  const cache = useQueryClient();
  const [act, setAct] = useState<Act>();
  const [reason, setReason] = useState("");
  const readAgain = () =>
    Promise.all(["exemption", "finding", "review"].map((type) => cache.invalidateQueries({ queryKey: [type] })));
  const send = useMutation({
    mutationFn: (chosen: Act) =>
      client.PATCH(PATHS[chosen], {
        params: { path: { id } },
        ifMatch: exemption,
        body: reason === "" ? {} : { reason },
      }),
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
  const isOwn = requestedBy === me.id;
  const waits = status === "requested";
  const acts: readonly (readonly [Act, boolean])[] = [
    ["approve", waits && may("ai-exemption:approve") && !isOwn],
    ["reject", waits && may("ai-exemption:approve") && !isOwn],
    ["withdraw", waits && may("ai-exemption:request") && (isOwn || may("ai-exemption:approve"))],
    ["revoke", status === "approved" && may("ai-exemption:revoke")],
  ];
  return (
    <>
      {acts.map(
        ([one, isShown]) =>
          isShown && (
            <button
              key={one}
              type="button"
              className={one === "approve" ? "primary" : one === "revoke" ? "danger" : ""}
              onClick={() => open(one)}
            >
              {words.acts[one]}
            </button>
          ),
      )}
      {(status === "approved" || status === "expired") && may("ai-exemption:request") && (
        <Link to="/findings/exemptions/new" search={{ renewalOf: id }}>
          {words.acts.renew}
        </Link>
      )}
      <ConfirmDialog
        isOpen={act !== undefined}
        title={act ? `${words.acts[act]}: ${name}` : ""}
        confirm={act ? words.acts[act] : ""}
        tone={act === "revoke" ? "danger" : "primary"}
        isBusy={send.isPending}
        error={send.error}
        onConfirm={() => act && send.mutate(act)}
        onClose={() => setAct(undefined)}
      >
        {act && <p>{words.does[act]}</p>}
        <Field label={words.ask.reason}>
          {(ids) => (
            <textarea {...ids} value={reason} maxLength={2000} onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
      </ConfirmDialog>
    </>
  );
}
