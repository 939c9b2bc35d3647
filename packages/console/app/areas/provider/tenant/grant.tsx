import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { TextField } from "../../../ui/text-field.js";
import { type Entitlement, type Organisation, TENANTS } from "../terms.js";

interface GrantProps {
  readonly tenant: Organisation;
  /** What is changed; absent to grant something else. */
  readonly held?: Entitlement;
}

const formOf = (held: Entitlement | undefined) => ({
  kind: held?.kind ?? ("capability" as const),
  key: held?.key ?? "",
  value: held?.value === null || held === undefined ? "" : `${held.value}`,
  ends: held?.expiresAt?.slice(0, 10) ?? "",
  isRevoked: held?.status === "revoked",
});

/** Grants or changes one entitlement. */
export function Grant({ tenant, held }: GrantProps) {
  const [form, setForm] = useState(() => formOf(held));
  const words = t.provider.entitlements;
  const change = (changed: Partial<typeof form>) => setForm({ ...form, ...changed });
  const send = (why: { readonly reason?: string }) => {
    const { kind, key, value, ends, isRevoked } = form;
    return client.POST("/api/v1/support/tenants/{tenantId}/entitlements/{kind}/{key}", {
      params: { path: { tenantId: tenant.id, kind, key } },
      ...(held ? { ifMatch: held } : {}),
      body: isRevoked ? { status: "revoked", ...why } : { configuration: configurationOf(kind, value, ends), ...why },
    });
  };
  return (
    <ReasonedAct
      label={held ? words.change : words.grant}
      {...(held ? { name: words.changeOne(held.key) } : {})}
      isReasonRequired
      stale={TENANTS}
      act={send}
      onOpen={() => setForm(formOf(held))}
    >
      {held === undefined && (
        <>
          <Field label={words.kind}>
            {(ids) => (
              <select
                {...ids}
                value={form.kind}
                onChange={({ target }) => change({ kind: target.value as Entitlement["kind"] })}
              >
                {Object.entries(words.kinds).map(([kind, label]) => (
                  <option key={kind} value={kind}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label={words.key}
            required
            maxLength={64}
            value={form.key}
            onChange={(value) => change({ key: value })}
          />
        </>
      )}
      {held && (
        <label>
          <input
            type="checkbox"
            checked={form.isRevoked}
            onChange={({ target }) => change({ isRevoked: target.checked })}
          />
          {words.isRevoked}
        </label>
      )}
      {form.kind !== "capability" && (
        <TextField
          label={words.value}
          hint={words.valueHint}
          required={!form.isRevoked}
          maxLength={200}
          value={form.value}
          onChange={(value) => change({ value: value })}
        />
      )}
      <TextField
        label={words.ends}
        hint={words.endsHint}
        type="date"
        value={form.ends}
        onChange={(value) => change({ ends: value })}
      />
    </ReasonedAct>
  );
}

/** The terms of an entitlement. What is no number goes to the server as it is, which says what it must be. */
function configurationOf(kind: Entitlement["kind"], value: string, ends: string) {
  const number = Number(value);
  return {
    expiresAt: ends === "" ? null : new Date(`${ends}T00:00:00`).toISOString(),
    ...(kind === "capability" ? {} : { value: kind === "limit" && Number.isInteger(number) ? number : value }),
  };
}
