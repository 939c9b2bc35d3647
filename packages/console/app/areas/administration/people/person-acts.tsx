import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { Failed } from "../../../ui/states.js";
import type { User } from "../terms.js";
import { RoleChoices } from "./role-choices.js";

const { acts } = t.administration;
const STALE = ["user"];

/** Changes of an account, each sent with the version on the screen. */
export function PersonActs({ user }: { readonly user: User }) {
  const cache = useQueryClient();
  const [roles, setRoles] = useState<readonly string[]>(user.roles);
  const change =
    (changed: { readonly roles: string[] } | { readonly status: "active" | "disabled" }) =>
    (why: { readonly reason?: string }) =>
      client.PATCH("/api/v1/users/{id}", {
        params: { path: { id: user.id } },
        ifMatch: user,
        body: { ...changed, ...why },
      });
  const invite = useMutation({
    mutationFn: () => client.POST("/api/v1/users/{id}/invite", { params: { path: { id: user.id } } }),
    onSettled: () => cache.invalidateQueries({ queryKey: STALE }),
  });
  return (
    <>
      {invite.isError && <Failed error={invite.error} />}
      {user.status === "invited" && (
        <button type="button" aria-disabled={invite.isPending} onClick={() => !invite.isPending && invite.mutate()}>
          {acts.invite}
        </button>
      )}
      <ReasonedAct
        label={acts.roles}
        hint={acts.rolesHint}
        stale={STALE}
        act={change({ roles: [...roles] })}
        onOpen={() => setRoles(user.roles)}
      >
        <RoleChoices chosen={roles} onChange={setRoles} />
      </ReasonedAct>
      {(["disabled", "active"] as const).map((status) => (
        <ReasonedAct
          key={status}
          isShown={(status === "active") === (user.status === "disabled")}
          label={acts[status]}
          hint={acts.hints[status]}
          tone={status === "disabled" ? "danger" : "primary"}
          isStop={status === "disabled"}
          stale={STALE}
          act={change({ status })}
        />
      ))}
    </>
  );
}
