import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { Choices } from "../../ui/choices.js";
import { ConfirmDialog } from "../../ui/confirm-dialog.js";
import { TextField } from "../../ui/text-field.js";
import type { Listed } from "./terms.js";

const words = t.compliance;

type Role = keyof typeof words.roleNames;
const ROLES = Object.keys(words.roleNames) as readonly Role[];

/** Adopts a framework with the roles that the organisation has, changes these, or ends the adoption. */
export function Adopt({ framework: { key, name, adoption } }: { readonly framework: Listed }) {
  const cache = useQueryClient();
  const [act, setAct] = useState<"adopt" | "abandon">();
  const [roles, setRoles] = useState<readonly Role[]>(adoption?.roles ?? []);
  const [scope, setScope] = useState(adoption?.scope ?? "");
  const send = useMutation({
    mutationFn: async (chosen: "adopt" | "abandon"): Promise<unknown> => {
      const init = { params: { path: { key } } };
      const path = "/api/v1/ai/compliance/frameworks/{key}/adoption";
      return chosen === "adopt"
        ? client.PUT(path, { ...init, body: { roles: [...roles], scope } })
        : client.DELETE(path, init);
    },
    onSuccess: async () => {
      setAct(undefined);
      await cache.invalidateQueries({ queryKey: ["figure"] });
    },
  });
  const open = (chosen: "adopt" | "abandon") => {
    send.reset();
    setAct(chosen);
  };
  return (
    <span className="decisions">
      <button
        type="button"
        aria-label={`${adoption ? words.change : words.adopt}: ${name}`}
        onClick={() => open("adopt")}
      >
        {adoption ? words.change : words.adopt}
      </button>
      {adoption && (
        <button type="button" aria-label={`${words.abandon}: ${name}`} onClick={() => open("abandon")}>
          {words.abandon}
        </button>
      )}
      <ConfirmDialog
        isOpen={act !== undefined}
        title={act === "abandon" ? words.abandonTitle(name) : words.adoptTitle(name)}
        confirm={act === "abandon" ? words.abandon : words.adopt}
        isBusy={send.isPending}
        error={send.error}
        onConfirm={() => act && send.mutate(act)}
        onClose={() => setAct(undefined)}
      >
        {act === "abandon" ? (
          <p>{words.abandonDoes}</p>
        ) : (
          <>
            <Choices label={words.roles} all={ROLES} named={words.roleNames} chosen={roles} onChange={setRoles} />
            <p className="muted small">{words.rolesHint}</p>
            <TextField label={words.scope} rows={3} maxLength={2000} value={scope} onChange={setScope} />
          </>
        )}
      </ConfirmDialog>
    </span>
  );
}
