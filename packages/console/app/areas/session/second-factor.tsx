import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Wanted } from "../../api/browser-session.js";
import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";
import { Failed } from "../../ui/states.js";
import { askPasskey, type PasskeyMessage, takesPasskeys } from "./passkey.js";

interface SecondFactorProps {
  readonly wanted: Pick<Wanted, "methods" | "passkey">;
  readonly onPasskey: (passkey: PasskeyMessage) => void;
}

/** The fields and buttons by which a second factor is proven, within a form. */
export function SecondFactor({ wanted, onPasskey }: SecondFactorProps) {
  const { methods = [], passkey } = wanted;
  const [hasApp, setHasApp] = useState(methods.includes("totp"));
  const signing = useMutation({ mutationFn: askPasskey, onSuccess: onPasskey });
  return (
    <>
      {passkey && takesPasskeys() && (
        <button type="button" onClick={() => signing.mutate(passkey)}>
          {t.session.usePasskey}
        </button>
      )}
      {signing.isError && <Failed error={signing.error} />}
      {hasApp ? (
        <Field key="code" label={t.session.code} hint={t.session.codeHint}>
          {(ids) => <input {...ids} name="code" autoComplete="one-time-code" inputMode="numeric" required />}
        </Field>
      ) : (
        <Field key="recovery" label={t.session.recoveryCode} hint={t.session.recoveryHint}>
          {(ids) => <input {...ids} name="recoveryCode" autoComplete="off" required />}
        </Field>
      )}
      {methods.includes("totp") && (
        <button type="button" className="quiet" onClick={() => setHasApp(!hasApp)}>
          {hasApp ? t.session.useRecovery : t.session.useApp}
        </button>
      )}
    </>
  );
}
