import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect } from "react";
import { beginSession, type Register } from "../../api/browser-session.js";
import { client } from "../../api/client.js";
import { configQuery } from "../../api/config.js";
import { ME } from "../../api/me.js";
import { fieldFault } from "../../api/problem.js";
import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";
import { Failed } from "../../ui/states.js";

interface FirstRunProps {
  readonly name: string;
  readonly onSignIn: () => void;
}

/** The first page of an empty server: makes the first organisation with its owner, signs that person in, and shows the way. */
export function FirstRun({ name, onSignIn }: FirstRunProps) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const title = t.session.first.title(name);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const found = useMutation({
    mutationFn: async (body: Register) => {
      await client.POST("/api/v1/register", { body });
      const { username, password } = body;
      await beginSession({ username, password });
    },
    onSuccess: async () => {
      queryClient.setQueryData(configQuery.queryKey, (config) => config && { ...config, isEmpty: false });
      await router.navigate({ to: "/welcome" });
      await queryClient.resetQueries({ queryKey: ME });
    },
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.currentTarget)].filter(([, value]) => value !== ""));
    if (!found.isPending) found.mutate(given as unknown as Register);
  };
  const fault = (field: string) => fieldFault(found.error, `/${field}`);
  return (
    <main className="sign-in">
      <form onSubmit={send}>
        <h1>{title}</h1>
        <p>{t.session.first.hint}</p>
        <Field label={t.session.first.organization} fault={fault("organization")}>
          {(ids) => <input {...ids} name="organization" autoComplete="organization" required />}
        </Field>
        <Field label={t.session.first.person} fault={fault("name")}>
          {(ids) => <input {...ids} name="name" autoComplete="name" required />}
        </Field>
        <Field label={t.session.username} fault={fault("username")}>
          {(ids) => <input {...ids} name="username" type="email" autoComplete="username" required />}
        </Field>
        <Field label={t.session.password} hint={t.session.first.passwordHint} fault={fault("password")}>
          {(ids) => <input {...ids} name="password" type="password" autoComplete="new-password" required />}
        </Field>
        {found.isError && <Failed error={found.error} />}
        <button type="submit" className="primary" aria-disabled={found.isPending}>
          {t.session.first.create}
        </button>
        <button type="button" className="quiet" onClick={onSignIn}>
          {t.session.first.signIn}
        </button>
      </form>
    </main>
  );
}
