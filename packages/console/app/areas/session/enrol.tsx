import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";
import { Loaded } from "../../ui/loaded.js";

/** Sets up an app for one-time passwords, which the organisation demands, before the first sign-in. */
export function Enrol({ challenge }: { readonly challenge: string }) {
  const setup = useQuery({
    queryKey: ["enrolment", challenge],
    queryFn: async () =>
      (await client.POST("/api/v1/auth/factors/enrolment", { body: { challenge, method: "totp" } })).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Loaded query={setup}>
      {({ secret }) => (
        <>
          <p>{t.session.enrol}</p>
          <p>
            <code className="text">{secret}</code>
          </p>
          <Field label={t.session.code} hint={t.session.enrolHint}>
            {(ids) => <input {...ids} name="code" autoComplete="one-time-code" inputMode="numeric" required />}
          </Field>
        </>
      )}
    </Loaded>
  );
}
