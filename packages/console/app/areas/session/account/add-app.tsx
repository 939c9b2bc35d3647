import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Loaded } from "../../../ui/loaded.js";
import { TextField } from "../../../ui/text-field.js";

interface AddAppProps {
  readonly onDone: (given: { readonly recoveryCodes?: readonly string[] | undefined }) => void;
  readonly onClose: () => void;
}

/** Sets up an app for one-time passwords: its key, and the first code that shows that it was taken. */
export function AddApp({ onDone, onClose }: AddAppProps) {
  const [code, setCode] = useState("");
  const setup = useQuery({
    queryKey: ["second_factor", "setup"],
    queryFn: async () => (await client.POST("/api/v1/auth/factors/one-time-password", {})).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const confirm = useMutation({
    mutationFn: async () =>
      (await client.POST("/api/v1/auth/factors/one-time-password/confirm", { body: { code } })).data,
    onSuccess: onDone,
  });
  return (
    <ConfirmDialog
      isOpen
      title={t.account.factors.addApp}
      confirm={t.account.factors.confirm}
      isBusy={confirm.isPending}
      error={confirm.error}
      onConfirm={() => confirm.mutate()}
      onClose={onClose}
    >
      <Loaded query={setup}>
        {({ secret }) => (
          <>
            <p>{t.account.factors.key}</p>
            <p>
              <code className="text">{secret}</code>
            </p>
            <TextField
              label={t.session.code}
              hint={t.session.enrolHint}
              autoComplete="one-time-code"
              inputMode="numeric"
              required
              value={code}
              onChange={setCode}
            />
          </>
        )}
      </Loaded>
    </ConfirmDialog>
  );
}
