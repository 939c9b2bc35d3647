import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Failed } from "../../../ui/states.js";
import { policyQuery, useReadAgain } from "../page/policy-query.js";
import type { Policy } from "../terms.js";
import { AboutFields } from "./about-fields.js";
import { CheckReport } from "./check-report.js";
import { type Draft, draftOf, newDraft, newRule, newTest, type Request, requestOf } from "./draft.js";
import { RuleFields } from "./rule-fields.js";
import { TestFields } from "./test-fields.js";
import { useCheck } from "./use-check.js";
import { celQuery, vocabularyOf } from "./vocabulary.js";

const words = t.policies.editor;

/** A policy from nothing. */
export function NewPolicyPage() {
  return <Editor policy={undefined} />;
}

/** A policy that is there already. */
export function EditPolicyPage() {
  const { policyId: id = "" } = useParams({ strict: false }) as { readonly policyId?: string };
  // What others change meanwhile does not reach into the form; saving tells of it.
  const policy = useQuery({ ...policyQuery(id), refetchOnWindowFocus: false });
  return <Loaded query={policy}>{(data) => <Editor key={data.id} policy={data} />}</Loaded>;
}

/** What of a stored policy changes: its kind never does, and of a pack only what a tenant may change. */
function changeOf({ kind: _, ...request }: Request, { managedBy }: Policy) {
  if (managedBy !== "builtin") return request;
  const { params, severity, gate } = request;
  return { params, severity, gate };
}

function useSave(opened: Policy | undefined) {
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: async (request: Request) =>
      opened
        ? client.PUT("/api/v1/ai-governance/policies/{id}", {
            params: { path: { id: opened.id } },
            ifMatch: opened,
            body: changeOf(request, opened) as never,
          })
        : client.POST("/api/v1/ai-governance/policies", { body: request as never }),
    onSuccess: async ({ data }) => {
      await readAgain();
      await navigate({ to: "/policies/$policyId", params: { policyId: data.id } });
    },
    onError: (error) => (isOvertaken(error) ? readAgain() : undefined),
  });
}

/** The form of a policy, beside what the server says of it as one types. */
function Editor({ policy }: { readonly policy: Policy | undefined }) {
  // A save names the version that the form began with.
  const [opened] = useState(policy);
  const [draft, setDraft] = useState<Draft>(() => (policy ? draftOf(policy) : newDraft()));
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }));
  const check = useCheck(draft, words.noJson);
  const cel = useQuery(celQuery);
  const vocabulary = vocabularyOf(cel.data, draft);
  const save = useSave(opened);
  const isForeign = policy?.managedBy === "builtin";
  const title = policy ? words.title(policy.name) : words.newTitle;
  const canSave = check.isComplete && requestOf(draft).faults.size === 0 && !save.isPending;
  return (
    <Page title={title}>
      {isForeign && <p className="against">{words.foreign}</p>}
      <form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault();
          if (canSave) save.mutate(requestOf(draft).request);
        }}
      >
        <div>
          <AboutFields
            draft={draft}
            change={change}
            check={check}
            vocabulary={vocabulary}
            isNew={policy === undefined}
            isForeign={isForeign}
          />
          {!isForeign && (
            <>
              {draft.rules.map((rule, at) => (
                <RuleFields
                  key={rule.id}
                  at={at}
                  rule={rule}
                  kind={draft.kind}
                  check={check}
                  vocabulary={vocabulary}
                  change={(patch) =>
                    change({ rules: draft.rules.map((each) => (each === rule ? { ...each, ...patch } : each)) })
                  }
                  remove={() => change({ rules: draft.rules.filter((each) => each !== rule) })}
                />
              ))}
              <button type="button" onClick={() => change({ rules: [...draft.rules, newRule()] })}>
                {words.addRule}
              </button>
              <h2>{t.policies.tests.title}</h2>
              {draft.tests.map((test, at) => (
                <TestFields
                  key={test.id}
                  at={at}
                  test={test}
                  draft={draft}
                  check={check}
                  change={(patch) =>
                    change({ tests: draft.tests.map((each) => (each === test ? { ...each, ...patch } : each)) })
                  }
                  remove={() => change({ tests: draft.tests.filter((each) => each !== test) })}
                />
              ))}
              <button type="button" onClick={() => change({ tests: [...draft.tests, newTest(draft.kind)] })}>
                {words.addTest}
              </button>
            </>
          )}
        </div>
        <div className="editor-check">
          <CheckReport check={check} />
          {save.isError && <Failed error={save.error} />}
          <div className="decisions">
            <button type="submit" className="primary" aria-disabled={!canSave}>
              {policy ? words.save : words.saveDraft}
            </button>
            {policy ? (
              <Link to="/policies/$policyId" params={{ policyId: policy.id }}>
                {words.cancel}
              </Link>
            ) : (
              <Link to="/policies">{words.cancel}</Link>
            )}
          </div>
        </div>
      </form>
    </Page>
  );
}
