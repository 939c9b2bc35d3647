import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { beginSession, type SignIn, type Wanted } from "../../api/browser-session.js";
import { type ConsoleConfig, configQuery } from "../../api/config.js";
import { ME } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";
import { Failed } from "../../ui/states.js";
import { Enrol } from "./enrol.js";
import { FirstRun } from "./first-run.js";
import { OtherWays, Refused } from "./other-ways.js";
import type { PasskeyMessage } from "./passkey.js";
import { RecoveryCodes } from "./recovery-codes.js";
import { SecondFactor } from "./second-factor.js";
import { wantedBy } from "./wanted.js";

/** The sign-in page; where there is no organisation yet, the page that makes the first one. */
export function SignInPage() {
  const { data: config } = useQuery(configQuery);
  const [wantsOther, setWantsOther] = useState(false);
  if (config?.isEmpty && !wantsOther) return <FirstRun name={config.name} onSignIn={() => setWantsOther(true)} />;
  return <SignInForm name={config?.name ?? ""} openid={config?.signIn.openid ?? []} />;
}

interface SignInFormProps {
  readonly name: string;
  readonly openid: ConsoleConfig["signIn"]["openid"];
}

/** Password, the organisation where several know the name, then a second factor where one is due. */
function SignInForm({ name, openid }: SignInFormProps) {
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState<Wanted>({});
  const signIn = useMutation({
    mutationFn: beginSession,
    onSuccess: ({ recoveryCodes }) => (recoveryCodes ? undefined : queryClient.resetQueries({ queryKey: ME })),
    onError: (error) => setWanted((before) => ({ ...before, ...wantedBy(error) })),
  });
  const title = t.session.title(name);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.currentTarget)].filter(([, value]) => value !== ""));
    const { challenge } = wanted;
    if (!signIn.isPending) signIn.mutate({ ...given, ...(challenge ? { challenge } : {}) } as SignIn);
  };
  if (signIn.data?.recoveryCodes)
    return (
      <main className="sign-in">
        <RecoveryCodes
          codes={signIn.data.recoveryCodes}
          heading="h1"
          onDone={() => void queryClient.resetQueries({ queryKey: ME })}
        />
      </main>
    );
  const asked = wantedBy(signIn.error);
  return (
    <main className="sign-in">
      <form onSubmit={send}>
        <h1>{title}</h1>
        {!signIn.isError && <Refused />}
        {wanted.challenge === undefined ? (
          <Password tenants={wanted.tenants ?? []} />
        ) : (
          <SecondStep
            wanted={wanted}
            onPasskey={(passkey) => signIn.mutate({ challenge: wanted.challenge, passkey })}
          />
        )}
        {signIn.isError && !asked.tenants && !asked.challenge && <Failed error={signIn.error} />}
        <button type="submit" className="primary" aria-disabled={signIn.isPending}>
          {signIn.isPending ? t.session.signingIn : t.session.signIn}
        </button>
        {wanted.challenge === undefined && <OtherWays providers={openid} />}
      </form>
    </main>
  );
}

function Password({ tenants }: { readonly tenants: NonNullable<Wanted["tenants"]> }) {
  return (
    <>
      <Field label={t.session.username}>
        {(ids) => <input {...ids} name="username" type="text" autoComplete="username" required />}
      </Field>
      <Field label={t.session.password}>
        {(ids) => <input {...ids} name="password" type="password" autoComplete="current-password" required />}
      </Field>
      {tenants.length > 0 && (
        <Field label={t.session.tenant} hint={t.session.chooseTenant}>
          {(ids) => (
            <select {...ids} name="tenant" required>
              {tenants.map((tenant) => (
                <option key={tenant} value={tenant}>
                  {tenant}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  );
}

interface SecondStepProps {
  readonly wanted: Wanted;
  readonly onPasskey: (passkey: PasskeyMessage) => void;
}

function SecondStep({ wanted, onPasskey }: SecondStepProps) {
  const { challenge = "", enrol = [] } = wanted;
  return enrol.length > 0 ? <Enrol challenge={challenge} /> : <SecondFactor wanted={wanted} onPasskey={onPasskey} />;
}
