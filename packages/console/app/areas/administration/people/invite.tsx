import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { fieldFault } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { TextField } from "../../../ui/text-field.js";
import { RoleChoices } from "./role-choices.js";

/** Makes an account and mails its owner a link to set a password. */
export function Invite() {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [person, setPerson] = useState({ username: "", name: "" });
  const [roles, setRoles] = useState<readonly string[]>(["member"]);
  /** The account that was made while its mail could not be sent: the next try sends the mail alone. */
  const [made, setMade] = useState<string>();
  const invite = useMutation({
    mutationFn: async () => {
      const body = { username: person.username, roles: [...roles], ...(person.name ? { name: person.name } : {}) };
      const id = made ?? (await client.POST("/api/v1/users", { body })).data.id;
      setMade(id);
      await client.POST("/api/v1/users/{id}/invite", { params: { path: { id } } });
    },
    onSuccess: () => {
      setOpen(false);
      setMade(undefined);
      setPerson({ username: "", name: "" });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ["user"] }),
  });
  const { invitation } = t.administration;
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        {invitation.title}
      </button>
      <ConfirmDialog
        isOpen={isOpen}
        title={invitation.title}
        confirm={invitation.send}
        isBusy={invite.isPending}
        error={invite.error}
        onConfirm={() => invite.mutate()}
        onClose={() => {
          setOpen(false);
          setMade(undefined);
          invite.reset();
        }}
      >
        <p>{made ? invitation.made : invitation.hint}</p>
        <TextField
          label={t.session.username}
          fault={fieldFault(invite.error, "/username")}
          type="email"
          required
          value={person.username}
          onChange={(value) => setPerson({ ...person, username: value })}
        />
        <TextField
          label={t.administration.columns.name}
          fault={fieldFault(invite.error, "/name")}
          value={person.name}
          onChange={(value) => setPerson({ ...person, name: value })}
        />
        <RoleChoices chosen={roles} onChange={setRoles} />
      </ConfirmDialog>
    </>
  );
}
