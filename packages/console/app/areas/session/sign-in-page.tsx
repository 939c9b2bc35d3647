import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { beginSession, type SignIn } from "../../api/browser-session.js";
import { ProblemError } from "../../api/client.js";
import { configQuery } from "../../api/config.js";
import { ME } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";
import { Failed } from "../../ui/states.js";

interface Tenant {
  readonly id: string;
  readonly name: string;
}

/** What the server asks for beside the password. */
function askedBy(error: unknown): { tenants?: readonly Tenant[]; code?: true } {
  if (!ProblemError.is(error)) return {};
  const { code, tenants } = error.problem as { code?: string; tenants?: readonly Tenant[] };
  if (code === "tenant_required" && tenants) return { tenants };
  return code === "second_factor_required" ? { code: true } : {};
}

/** Sign-in with Reeve's own password, the organisation where several know the name, and a code where one is due. */
export function SignInPage() {
  const { data: config } = useQuery(configQuery);
  const queryClient = useQueryClient();
  const [tenants, setTenants] = useState<readonly Tenant[]>([]);
  const [isCodeDue, setCodeDue] = useState(false);
  const signIn = useMutation({
    mutationFn: beginSession,
    onSuccess: () => queryClient.resetQueries({ queryKey: ME }),
    onError: (error) => {
      const asked = askedBy(error);
      if (asked.tenants) setTenants(asked.tenants);
      if (asked.code) setCodeDue(true);
    },
  });
  const title = t.session.title(config?.name ?? "");
  useEffect(() => {
    document.title = title;
  }, [title]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.currentTarget)].filter(([, value]) => value !== ""));
    if (!signIn.isPending) signIn.mutate(given as unknown as SignIn);
  };
  const asked = askedBy(signIn.error);
  return (
    <main className="sign-in">
      <form onSubmit={send}>
        <h1>{title}</h1>
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
                {tenants.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {isCodeDue && (
          <Field label={t.session.code} hint={t.session.codeHint}>
            {(ids) => <input {...ids} name="code" autoComplete="one-time-code" inputMode="numeric" required />}
          </Field>
        )}
        {signIn.isError && !asked.tenants && !asked.code && <Failed error={signIn.error} />}
        <button type="submit" className="primary" aria-disabled={signIn.isPending}>
          {signIn.isPending ? t.session.signingIn : t.session.signIn}
        </button>
      </form>
    </main>
  );
}
