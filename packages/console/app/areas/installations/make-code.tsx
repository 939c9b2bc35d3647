import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { mountUrl } from "../../api/base.js";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { given } from "../../api/search.js";
import { t } from "../../texts/index.js";
import { ConfirmDialog } from "../../ui/confirm-dialog.js";
import { Field } from "../../ui/field.js";
import { TextField } from "../../ui/text-field.js";
import { CLIENTS, type Installation } from "./terms.js";

const { codes: words, clients } = t.installations;

const FRESH = { agentId: "", of: "", maxUses: "1", team: "", userId: "" };
/** The most agents to choose from. Others are reached by the API. */
const AGENTS = 100;

/** Makes a code for an agent, and shows it this once with the command that takes it. */
export function MakeCode() {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState(FRESH);
  const set = (key: keyof typeof FRESH) => (value: string) => setAsked((before) => ({ ...before, [key]: value }));
  const agents = useQuery({
    queryKey: listKey("ai_asset", { assetType: "agent" }),
    queryFn: async ({ signal }) =>
      (
        await client.GET("/api/v1/ai-assets", {
          params: { query: { assetType: ["agent"], size: AGENTS, sort: ["name"] } },
          signal,
        })
      ).data,
    enabled: isOpen,
  });
  const made = useMutation({
    mutationFn: async () => {
      const { agentId, of, maxUses, team, userId } = asked;
      const body = given({
        client: CLIENTS.find((one) => one === of) as Installation["client"] | undefined,
        team: team === "" ? undefined : team,
        userId: userId === "" ? undefined : userId,
      });
      return (
        await client.POST("/api/v1/ai/installation-codes", { body: { agentId, maxUses: Number(maxUses), ...body } })
      ).data;
    },
    onSuccess: () => setOpen(false),
    onSettled: () => cache.invalidateQueries({ queryKey: ["enrolment_code"] }),
  });
  return (
    <>
      {made.data && <Issued code={made.data.code} of={made.data.client} onDone={made.reset} />}
      <button
        type="button"
        onClick={() => {
          made.reset();
          setAsked(FRESH);
          setOpen(true);
        }}
      >
        {words.make}
      </button>
      <ConfirmDialog
        isOpen={isOpen}
        title={words.make}
        confirm={words.make}
        isBusy={made.isPending}
        error={made.error}
        onConfirm={() => made.mutate()}
        onClose={() => setOpen(false)}
      >
        <p>{words.makeHint}</p>
        <Field label={words.agent}>
          {(ids) => (
            <select {...ids} required value={asked.agentId} onChange={({ target }) => set("agentId")(target.value)}>
              <option value="">{words.choose}</option>
              {agents.data?.items.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.client}>
          {(ids) => (
            <select {...ids} value={asked.of} onChange={({ target }) => set("of")(target.value)}>
              <option value="">{words.any}</option>
              {CLIENTS.map((one) => (
                <option key={one} value={one}>
                  {clients[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label={words.maxUses}
          type="number"
          min={1}
          max={10_000}
          required
          value={asked.maxUses}
          onChange={set("maxUses")}
        />
        <TextField label={words.team} maxLength={200} value={asked.team} onChange={set("team")} />
        <TextField
          label={words.person}
          hint={words.personHint}
          maxLength={200}
          value={asked.userId}
          onChange={set("userId")}
        />
      </ConfirmDialog>
    </>
  );
}

interface IssuedProps {
  readonly code: string;
  readonly of: Installation["client"] | null;
  readonly onDone: () => void;
}

function Issued({ code, of, onDone }: IssuedProps) {
  const command = `reeve enroll ${mountUrl.href} --client ${of ?? "CLIENT"}`;
  return (
    <div role="status" className="stack">
      <p>{words.once}</p>
      <pre className="data">{`${command}\n${code}`}</pre>
      <button type="button" onClick={onDone}>
        {words.kept}
      </button>
    </div>
  );
}
