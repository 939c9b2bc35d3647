import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Failed } from "../../../ui/states.js";
import { Time } from "../../../ui/time.js";
import { NoticesNav } from "../notices-nav.js";
import type { Preferences } from "../terms.js";
import { type Changes, changed } from "./draft.js";
import { MailTable } from "./mail-table.js";
import { Times } from "./times.js";

const PATH = "/api/v1/me/notice-preferences";
const KEY = recordKey("notice_preferences", "own");
const words = t.notices.preferences;

/** How one is told: by mail or not, when, and in which language. */
export function PreferencesPage() {
  const preferences = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await client.GET(PATH, { signal })).data,
  });
  return (
    <Page title={t.notices.navigation.preferences}>
      <NoticesNav />
      <p>{words.leads}</p>
      <Loaded query={preferences}>{(held) => <Form held={held} />}</Loaded>
    </Page>
  );
}

function Form({ held }: { readonly held: Preferences }) {
  const cache = useQueryClient();
  const [changes, setChanges] = useState<Changes>({});
  const save = useMutation({
    async mutationFn() {
      const { data } = await client.GET(PATH);
      return (await client.PUT(PATH, { body: changed(data, changes) })).data;
    },
    onSuccess(saved) {
      cache.setQueryData(KEY, saved);
      setChanges({});
    },
  });
  const change = (some: Changes) => {
    save.reset();
    setChanges((before) => ({ ...before, ...some, ...(some.mail ? { mail: { ...before.mail, ...some.mail } } : {}) }));
  };
  const shown = changed(held, changes);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <section aria-label={words.mail}>
        <h2>{words.mail}</h2>
        <MailTable mail={shown.mail} onChange={(mail) => change({ mail })} />
      </section>
      <section aria-label={words.times} className="stack">
        <h2>{words.times}</h2>
        <Times preferences={shown} error={save.error} onChange={change} />
      </section>
      {save.isError && <Failed error={save.error} />}
      <p role="status">{save.isSuccess ? words.saved : ""}</p>
      <div>
        <button type="submit" className="primary" aria-disabled={save.isPending}>
          {words.save}
        </button>
      </div>
      <p className="muted">
        {held.changedAt === null ? (
          words.defaults
        ) : (
          <>
            {words.changed} <Time at={held.changedAt} age />
          </>
        )}
      </p>
    </form>
  );
}
