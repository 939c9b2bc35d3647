import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import type { askSearchOf } from "../search.js";
import { AskForm } from "./ask-form.js";

const words = t.exemptions.ask;

/** Asks for an exemption: of a finding, of a policy, or once more. */
export function AskPage() {
  const asked = useSearch({ strict: false }) as ReturnType<typeof askSearchOf>;
  return (
    <Page title={words.title}>
      {asked.findingId !== undefined ? (
        <OfFinding id={asked.findingId} />
      ) : asked.renewalOf !== undefined ? (
        <Renewal id={asked.renewalOf} />
      ) : asked.policyId !== undefined ? (
        <OfPolicy id={asked.policyId} />
      ) : (
        <Empty title={words.missing} />
      )}
    </Page>
  );
}

function OfFinding({ id }: { readonly id: string }) {
  const finding = useQuery({
    queryKey: recordKey("finding", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/findings/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={finding}>
      {({ title, fingerprint, effectiveSeverity }) => (
        <AskForm name={title} scope={{ fingerprint }} severity={effectiveSeverity} />
      )}
    </Loaded>
  );
}

function Renewal({ id }: { readonly id: string }) {
  const earlier = useQuery({
    queryKey: recordKey("exemption", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/exemptions/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={earlier}>
      {({ name, scope, maxSeverity, category, compensatingControls }) => (
        <AskForm
          name={name}
          scope={scope}
          severity={maxSeverity}
          category={category}
          guards={compensatingControls ?? ""}
          renewalOf={id}
        />
      )}
    </Loaded>
  );
}

function OfPolicy({ id }: { readonly id: string }) {
  const policy = useQuery({
    queryKey: recordKey("ai_policy", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/policies/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={policy}>
      {({ name, key, severity }) => <AskForm name={name} policyKey={key} severity={severity} />}
    </Loaded>
  );
}
