import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { fieldFault } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { SEVERITIES, type Severity } from "../terms.js";
import { ScopeFields } from "./scope-fields.js";
import { CATEGORIES, type Category, type Scope } from "./terms.js";

const words = t.exemptions.ask;

interface AskFormProps {
  readonly name: string;
  /** What it takes in. Without one it is chosen, of the policy. */
  readonly scope?: Scope;
  readonly policyKey?: string;
  readonly severity: Severity;
  readonly category?: Category;
  readonly guards?: string;
  readonly renewalOf?: string;
}

/** What an exemption takes in, why, and until when. */
export function AskForm(props: AskFormProps) {
  const { name, policyKey, renewalOf } = props;
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [scope, setScope] = useState(props.scope);
  const [form, setForm] = useState({
    ...{ category: props.category ?? ("waiver" as Category), maxSeverity: props.severity },
    ...{ reason: "", compensatingControls: props.guards ?? "", ticketRef: "", expiresAt: "" },
  });
  const change = (patch: Partial<typeof form>) => setForm((before) => ({ ...before, ...patch }));
  const send = useMutation({
    mutationFn: (chosen: Scope) => {
      const { ticketRef, expiresAt, ...said } = form;
      const body = {
        ...said,
        scope: chosen,
        ...(ticketRef === "" ? {} : { ticketRef }),
        ...(expiresAt === "" ? {} : { expiresAt }),
        ...(renewalOf === undefined ? {} : { renewalOf }),
      };
      return client.POST("/api/v1/ai-governance/exemptions", { body });
    },
    onSuccess: async ({ data }) => {
      await cache.invalidateQueries({ queryKey: ["exemption"] });
      await navigate({ to: "/findings/exemptions/$exemptionId", params: { exemptionId: data.id } });
    },
  });
  const fault = (pointer: string) => fieldFault(send.error, pointer);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (scope && !send.isPending) send.mutate(scope);
      }}
    >
      <p>
        <Text>{words.from(name)}</Text>
      </p>
      {renewalOf !== undefined && <p>{words.renews}</p>}
      {policyKey !== undefined && <ScopeFields policyKey={policyKey} onChange={setScope} />}
      <TextField
        label={words.reason}
        fault={fault("/reason")}
        required
        rows={3}
        maxLength={2000}
        value={form.reason}
        onChange={(value) => change({ reason: value })}
      />
      <Field label={words.category} fault={fault("/category")}>
        {(ids) => (
          <select
            {...ids}
            value={form.category}
            onChange={({ target }) => change({ category: target.value as Category })}
          >
            {CATEGORIES.map((category) => (
              <option key={category} value={category}>
                {t.exemptions.categories[category]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={words.severity} fault={fault("/maxSeverity")}>
        {(ids) => (
          <select
            {...ids}
            value={form.maxSeverity}
            onChange={({ target }) => change({ maxSeverity: target.value as Severity })}
          >
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {t.findings.severities[severity]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={words.ends}
        hint={words.endsHint}
        fault={fault("/expiresAt")}
        type="date"
        value={form.expiresAt}
        onChange={(value) => change({ expiresAt: value })}
      />
      <TextField
        label={words.guards}
        fault={fault("/compensatingControls")}
        rows={2}
        maxLength={2000}
        value={form.compensatingControls}
        onChange={(value) => change({ compensatingControls: value })}
      />
      <TextField
        label={words.ticket}
        fault={fault("/ticketRef")}
        maxLength={500}
        value={form.ticketRef}
        onChange={(value) => change({ ticketRef: value })}
      />
      {send.isError && <Failed error={send.error} />}
      <p className="muted">{words.somebodyElse}</p>
      <div>
        <button type="submit" className="primary" aria-disabled={!scope || send.isPending}>
          {words.send}
        </button>
      </div>
    </form>
  );
}
