import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Field } from "../../../ui/field.js";
import { Failed } from "../../../ui/states.js";
import type { User } from "../terms.js";
import { RoleChoices } from "./role-choices.js";

/** Changes of an account, each sent with the version on the screen. */
export function PersonActs({ user }: { readonly user: User }) {
  const cache = useQueryClient();
  const [act, setAct] = useState<"roles" | "status">();
  const [roles, setRoles] = useState<readonly string[]>(user.roles);
  const [reason, setReason] = useState("");
  const refetch = () => cache.invalidateQueries({ queryKey: ["user"] });
  const status = user.status === "disabled" ? ("active" as const) : ("disabled" as const);
  const change = useMutation({
    mutationFn: () =>
      client.PATCH("/api/v1/users/{id}", {
        params: { path: { id: user.id } },
        ifMatch: user,
        body: { ...(act === "roles" ? { roles: [...roles] } : { status }), ...(reason === "" ? {} : { reason }) },
      }),
    onSuccess: async () => {
      close();
      await refetch();
    },
    onError: (error) => (isOvertaken(error) ? refetch() : undefined),
  });
  const close = () => {
    setAct(undefined);
    setReason("");
    change.reset();
  };
  const invite = useMutation({
    mutationFn: () => client.POST("/api/v1/users/{id}/invite", { params: { path: { id: user.id } } }),
    onSettled: refetch,
  });
  const { acts } = t.administration;
  const title = act === "roles" ? acts.roles : acts[status];
  return (
    <>
      {invite.isError && <Failed error={invite.error} />}
      {user.status === "invited" && (
        <button type="button" aria-disabled={invite.isPending} onClick={() => !invite.isPending && invite.mutate()}>
          {acts.invite}
        </button>
      )}
      <button type="button" onClick={() => setAct("roles")}>
        {acts.roles}
      </button>
      <button type="button" className={status === "disabled" ? "danger" : ""} onClick={() => setAct("status")}>
        {acts[status]}
      </button>
      <ConfirmDialog
        isOpen={act !== undefined}
        title={title}
        confirm={title}
        tone={act === "status" && status === "disabled" ? "danger" : "primary"}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate()}
        onClose={close}
      >
        {act === "roles" && <RoleChoices chosen={roles} onChange={setRoles} />}
        <p>{act === "roles" ? acts.rolesHint : acts.hints[status]}</p>
        <Field label={acts.reason}>
          {(ids) => (
            <input {...ids} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
      </ConfirmDialog>
    </>
  );
}
