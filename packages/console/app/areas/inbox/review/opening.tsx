import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type components } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { namedOf, useNames } from "../../../api/names.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Person } from "../../../ui/person.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import type { Review } from "../kinds.js";
import type { OpenedMatter } from "../matters/matter.js";
import { fieldName, useChanges } from "./changes.js";
import { UsedBy } from "./used-by.js";

type Opening = components["schemas"]["ReviewOpening"];

const words = t.opening;

interface OpeningProps {
  readonly review: Review;
  readonly matter: OpenedMatter | undefined;
}

/** The first lines: who asks for what and why, what is known of it, and what follows from a decision. */
export function OpeningLines({ review, matter }: OpeningProps) {
  const opening = useQuery({
    queryKey: recordKey("review", review.id, "opening"),
    queryFn: async ({ signal }) => {
      const params = { path: { id: review.id } };
      return (await client.GET("/api/v1/reviews/{id}/opening", { params, signal })).data;
    },
  });
  const { approved, otherwise } = words.outcome(review.kind);
  return (
    <section aria-label={words.title} className="opening">
      <h2>{words.title}</h2>
      <Loaded query={opening}>
        {(data) => (
          <>
            <Request opening={data} />
            {matter && <Said matter={matter} />}
            {data.asset && <AboutAsset asset={data.asset} />}
          </>
        )}
      </Loaded>
      <LastApproval review={review} />
      <p>
        {approved} {otherwise}
      </p>
    </section>
  );
}

function Request({ opening: { requestedBy, requestedAt, reason, requestKnown } }: { readonly opening: Opening }) {
  return (
    <>
      <p>
        {requestedBy ? (
          <>
            <Person person={requestedBy} /> {words.asks}{" "}
          </>
        ) : (
          `${words.found} `
        )}
        <Time at={requestedAt} />
        {"."}
      </p>
      <p>
        {reason ? (
          <>
            {words.because} <Text>{reason}</Text>
          </>
        ) : requestKnown ? (
          requestedBy && words.noReason
        ) : (
          words.reasonUnknown
        )}
      </p>
    </>
  );
}

/** What the record itself says of the matter, and what it names. */
function Said({ matter: { says, mentions } }: { readonly matter: OpenedMatter }) {
  const names = useNames(mentions.map(({ id }) => id));
  return (
    <>
      {says.map((line) => (
        <p key={line}>
          <Text>{line}</Text>
        </p>
      ))}
      {mentions.map(({ as, id }) => (
        <p key={`${as} ${id}`}>
          {`${words.mentions[as]}: `}
          <Person person={namedOf(names, id)} />
        </p>
      ))}
    </>
  );
}

type AssetOpening = NonNullable<Opening["asset"]>;

/** The open findings in words; severities without one are left out. */
function findingsOf({ openFindings: open }: AssetOpening): string {
  if (!open) return words.notEvaluated;
  const severities = (["critical", "high", "medium", "low", "info"] as const).filter((severity) => open[severity] > 0);
  const told = severities.map((one) => t.estate.openFindings(open[one], t.estate.severities[one])).join(", ");
  return told ? words.findings(told) : words.noFindings;
}

function AboutAsset({ asset }: { readonly asset: AssetOpening }) {
  const { id, name, hidden, assetType, now, approved, stops, stopsComplete } = asset;
  if (hidden) return <p>{words.hidden}</p>;
  if (name === null || !now) return <p>{words.gone}</p>;
  return (
    <>
      <p>
        {words.about}{" "}
        <Link to="/estate/assets/$id" params={{ id }}>
          <Text>{name}</Text>
        </Link>
        {`${assetType ? ` (${t.estate.types[assetType]})` : ""}. ${findingsOf(asset)}`}
      </p>
      <UsedBy asset={asset} />
      <p>
        {words.now[now.decision]} {now.message && <Text>{now.message}</Text>}{" "}
        {approved && words.once[approved.decision]} {approved?.message && <Text>{approved.message}</Text>}{" "}
        {stops !== null && (stops > 0 || !stopsComplete) && words.stops(stops, stopsComplete)}
      </p>
    </>
  );
}

/** When it was approved last, by whom, and which fields have changed since. Nothing where each is decided only once. */
function LastApproval({ review }: { readonly review: Review }) {
  const changes = useChanges(review, "approval");
  return (
    <Loaded query={changes}>
      {({ since, complete, recurs, items }) => {
        if (!recurs) return null;
        if (since === null) return <p>{complete ? words.never : words.notKnown}</p>;
        const fields = items.map((item) => fieldName(review, item)).join(", ");
        return (
          <p>
            {words.approvedAt} <Time at={since.at} />
            {since.by && (
              <>
                {` ${words.by} `}
                <Person person={since.by} />
              </>
            )}
            {`. ${fields ? words.changed(fields) : words.unchanged}`}
          </p>
        );
      }}
    </Loaded>
  );
}
