import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, type components } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { makePasskey, takesPasskeys } from "../passkey.js";
import { RecoveryCodes } from "../recovery-codes.js";
import { AddApp } from "./add-app.js";

type Held = components["schemas"]["SecondFactors"];

const KEY = ["second_factor", "own"] as const;

/** What one proves oneself with besides the password. */
export function Factors() {
  const cache = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isAdding, setAdding] = useState(false);
  const factors = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await client.GET("/api/v1/auth/factors", { signal })).data,
  });
  const done = (given: { readonly recoveryCodes?: readonly string[] | undefined }) => {
    setAdding(false);
    setCodes(given.recoveryCodes);
    return cache.invalidateQueries({ queryKey: KEY });
  };
  const passkey = useMutation({ mutationFn: makePasskey, onSuccess: done });
  if (codes) return <RecoveryCodes codes={codes} heading="h2" onDone={() => setCodes(undefined)} />;
  return (
    <section>
      <h2>{t.account.factors.title}</h2>
      <Loaded query={factors}>
        {(data) => (
          <>
            <HeldFactors held={data} onChanged={() => done({})} />
            <div className="bulk">
              <button type="button" onClick={() => setAdding(true)}>
                {data.oneTimePassword ? t.account.factors.replaceApp : t.account.factors.addApp}
              </button>
              {takesPasskeys() && (
                <button
                  type="button"
                  aria-disabled={passkey.isPending}
                  onClick={() => !passkey.isPending && passkey.mutate()}
                >
                  {t.account.factors.addPasskey}
                </button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {passkey.isError && <Failed error={passkey.error} />}
      {isAdding && <AddApp onDone={done} onClose={() => setAdding(false)} />}
    </section>
  );
}

/** The factors that count, each with a way to remove it. */
function HeldFactors({ held, onChanged }: { readonly held: Held; readonly onChanged: () => void }) {
  const [meant, setMeant] = useState<string>();
  const remove = useMutation({
    mutationFn: (which: string) =>
      which === "app"
        ? client.DELETE("/api/v1/auth/factors/one-time-password", {})
        : client.DELETE("/api/v1/auth/factors/passkeys/{passkeyId}", { params: { path: { passkeyId: which } } }),
    onSuccess: () => {
      setMeant(undefined);
      onChanged();
    },
  });
  const { oneTimePassword: app, passkeys, recoveryCodes, required } = held;
  const { factors } = t.account;
  const removing = (which: string, name: string) => (
    <button type="button" aria-label={factors.remove(name)} onClick={() => setMeant(which)}>
      {factors.removeIt}
    </button>
  );
  return (
    <>
      <DefinitionList
        items={[
          [factors.required, required ? t.whole.yes : t.whole.no],
          [
            factors.app,
            app ? (
              <span key="app">
                {factors.since} <Time at={app.createdAt} /> {removing("app", factors.app)}
              </span>
            ) : (
              t.none
            ),
          ],
          ...passkeys.map(
            ({ id, name, createdAt }) =>
              [
                factors.passkey,
                <span key={id}>
                  <Text>{name}</Text> {factors.since} <Time at={createdAt} /> {removing(id, name)}
                </span>,
              ] as const,
          ),
          [factors.codes, recoveryCodes ? factors.left(recoveryCodes.left) : t.none],
        ]}
      />
      <ConfirmDialog
        isOpen={meant !== undefined}
        title={factors.ask}
        confirm={factors.removeIt}
        tone="danger"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => meant && remove.mutate(meant)}
        onClose={() => {
          setMeant(undefined);
          remove.reset();
        }}
      >
        <p>{factors.removes}</p>
      </ConfirmDialog>
    </>
  );
}
