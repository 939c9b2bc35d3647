import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { isOvertaken } from "../../api/problem.js";
import { t } from "../../texts/index.js";
import { ConfirmDialog } from "../../ui/confirm-dialog.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { StatusBadge, type Tone } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { TextField } from "../../ui/text-field.js";
import { Time } from "../../ui/time.js";
import { DriftTable } from "./drift-table.js";
import { driftQuery, serverQuery } from "./server-query.js";

const words = t.estate.server;
const CONNECTION_TONES: Readonly<Record<keyof typeof words.connections, Tone>> = {
  ...{ unknown: "unknown", reachable: "good", degraded: "warning", unreachable: "bad" },
  ...{ auth_required: "warning", misconfigured: "bad", disabled: "neutral" },
};
const MANIFEST_TONES = { in_sync: "good", drifted: "bad", unapproved: "unknown" } as const;

/** An MCP server: whether it answers, what it offers, and how that differs from what was approved. */
export function ServerPage() {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string };
  const server = useQuery(serverQuery(id));
  const drift = useQuery(driftQuery(id));
  return (
    <Loaded query={server}>
      {(data) => (
        <Page title={data.name} heading={<Text>{data.name}</Text>}>
          <p className="states">
            <StatusBadge tone={CONNECTION_TONES[data.connection]}>{words.connections[data.connection]}</StatusBadge>
            <Link to="/estate/assets/$id" params={{ id: data.assetId }}>
              {words.toAsset}
            </Link>
          </p>
          <DefinitionList
            items={[
              [words.address, <Text key="u">{data.url ?? data.command}</Text>],
              [words.probed, <Time key="p" at={data.lastProbeAt} absent={t.time.never} />],
              [words.answered, <Time key="o" at={data.lastProbeOkAt} absent={t.time.never} />],
              [words.tools, words.counts(data.toolCounts)],
            ]}
          />
          <Loaded query={drift}>
            {(found) => (
              <section aria-label={words.drift}>
                <h2>{words.drift}</h2>
                <p>
                  <StatusBadge tone={MANIFEST_TONES[found.state]}>{words.manifests[found.state]}</StatusBadge>{" "}
                  <span className="muted">{words.fetched}</span> <Time at={found.fetchedAt} absent={t.time.never} />
                </p>
                <DriftTable items={found.items} />
                <DefinitionList
                  items={found.circumstances.map(({ what, before, after }) => [
                    words.circumstances[what],
                    <Text key={what}>{words.turned(before ?? t.none, after ?? t.none)}</Text>,
                  ])}
                />
                {found.warnings.map(({ code, pointer, message }) => (
                  <p key={`${code} ${pointer}`} className="fault">
                    <Text>{message}</Text>
                  </p>
                ))}
                {found.state !== "in_sync" && found.manifestDigest && (
                  <Approve id={id} name={data.name} digest={found.manifestDigest} />
                )}
              </section>
            )}
          </Loaded>
        </Page>
      )}
    </Loaded>
  );
}

/** Approves what is on the screen: the digest goes along, so that nothing else can be approved by it. */
function Approve({ id, name, digest }: { readonly id: string; readonly name: string; readonly digest: string }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["mcp_server"] });
  const approve = useMutation({
    mutationFn: () =>
      client.POST("/api/v1/ai/mcp-servers/{id}/tools/approve", {
        params: { path: { id } },
        body: { manifestDigest: digest, reason },
      }),
    onSuccess: () => {
      setOpen(false);
      return refresh();
    },
    onError: (error) => (isOvertaken(error) ? refresh() : undefined),
  });
  if (!may("ai-tool:approve")) return <p className="muted">{words.noRight}</p>;
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        {words.approve}
      </button>
      <ConfirmDialog
        isOpen={isOpen}
        title={words.approveTitle(name)}
        confirm={words.approve}
        isBusy={approve.isPending}
        error={approve.error}
        onConfirm={() => approve.mutate()}
        onClose={() => setOpen(false)}
      >
        <p>{words.approves(digest.slice(0, 12))}</p>
        <TextField label={t.estate.acts.reason} rows={2} value={reason} maxLength={2000} onChange={setReason} />
      </ConfirmDialog>
    </>
  );
}
