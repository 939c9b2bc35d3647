import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { Time } from "../../../ui/time.js";
import { canBeCancelled, REQUEST_TONES, type Request } from "../terms.js";

const words = t.access.request;

/** A request: what it would permit, how it stands, and for whom it waits. */
export function RequestPage() {
  const { requestId: id = "" } = useParams({ strict: false });
  const request = useQuery({
    queryKey: recordKey("access_request", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/access-requests/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={request}>
      {(data) => (
        <Page title={data.name} heading={<Text>{data.name}</Text>} actions={<Cancel request={data} />}>
          <h2>{words.permits}</h2>
          <ul>
            {data.wouldAllow.map((one) => (
              <li key={one}>
                <Text>{one}</Text>
              </li>
            ))}
          </ul>
          <DefinitionList items={factsOf(data)} />
          <Outcome request={data} />
        </Page>
      )}
    </Loaded>
  );
}

const factsOf = ({ status, createdAt, reason, waitingFor }: Request) =>
  [
    [
      words.status,
      <StatusBadge key="s" tone={REQUEST_TONES[status]}>
        {t.access.requestStates[status]}
      </StatusBadge>,
    ],
    [words.asked, <Time key="a" at={createdAt} />],
    [words.reason, <Text key="r">{reason}</Text>],
    ...(waitingFor ? ([[words.waits, <Text key="w">{waitingFor.why}</Text>]] as const) : []),
  ] as const;

/** Who is asked, what was said, and the access that came of it. */
function Outcome({ request: { waitingFor, evaluation, resolution, items } }: { readonly request: Request }) {
  const people = waitingFor?.people ?? [];
  const granted = items.filter(({ assignmentId }) => assignmentId !== null);
  const because = [...(evaluation?.explanations ?? []), ...(resolution?.reason ? [resolution.reason] : [])];
  return (
    <>
      {people.length > 0 && (
        <section>
          <h2>{words.people}</h2>
          <ul>
            {people.map(({ userId, name, why }) => (
              <li key={userId}>
                <Text>{name}</Text> <span className="muted">{<Text>{why}</Text>}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {because.length > 0 && (
        <section>
          <h2>{words.why}</h2>
          <ul>
            {[...new Set(because)].map((one) => (
              <li key={one}>
                <Text>{one}</Text>
              </li>
            ))}
          </ul>
        </section>
      )}
      {granted.length > 0 && (
        <section>
          <h2>{words.granted}</h2>
          <ul>
            {granted.map(({ key, assignmentId, profileName, resourceName }) => (
              <li key={key}>
                <Link to="/access/assignments/$assignmentId" params={{ assignmentId: assignmentId ?? "" }}>
                  <Text>{`${profileName}: ${resourceName}`}</Text>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Takes a request back. The server says who may. */
function Cancel({ request }: { readonly request: Request }) {
  const may = useMay();
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const cancel = useMutation({
    mutationFn: () =>
      client.POST("/api/v1/access-requests/{id}/cancel", { params: { path: { id: request.id } }, body: { reason } }),
    onSuccess: async () => {
      setOpen(false);
      await cache.invalidateQueries({ queryKey: ["access_request"] });
    },
  });
  if (!may("access-request:write") || !canBeCancelled(request)) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.cancel}
      </button>
      <ConfirmDialog
        isOpen={isOpen}
        title={words.cancels(request.name)}
        confirm={words.cancel}
        tone="danger"
        isBusy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate()}
        onClose={() => {
          setOpen(false);
          cancel.reset();
        }}
      >
        <p>{words.cancelled}</p>
        <TextField label={words.reason} rows={2} maxLength={2_000} value={reason} onChange={setReason} />
      </ConfirmDialog>
    </>
  );
}
