import { Link, useParams } from "@tanstack/react-router";
import { ProblemError } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { type Review, TONES } from "./kinds.js";
import { ChangesSince } from "./review/changes.js";
import { Comments } from "./review/comments.js";
import { Decide } from "./review/decide.js";
import { Decided } from "./review/decided.js";
import { Deciders } from "./review/deciders.js";
import { Facts } from "./review/facts.js";
import { HandOn } from "./review/hand-on.js";
import { History } from "./review/history.js";
import { useLastSeen } from "./review/last-seen.js";
import { OpeningLines } from "./review/opening.js";
import { Reach } from "./review/reach.js";
import { useMatter, usePeople, useReview } from "./review/use-review.js";

/** One review: what is decided, what it reaches, who may decide, what was said, and the decision itself. */
export function ReviewPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const review = useReview(id);
  const isGone = ProblemError.is(review.error) && review.error.status === 404;
  if (isGone)
    return (
      <Page title={t.inbox.gone.title}>
        {review.data ? (
          <Decided review={review.data} />
        ) : (
          <Empty {...t.inbox.gone}>
            <Link to="/inbox">{t.inbox.back}</Link>
          </Empty>
        )}
      </Page>
    );
  return <Loaded query={review}>{(data) => <Opened key={data.id} review={data} />}</Loaded>;
}

function Opened({ review }: { readonly review: Review }) {
  const matter = useMatter(review);
  const people = usePeople(review);
  const lastSeen = useLastSeen(review.id);
  const heading = (
    <>
      <Text>{review.name}</Text>
      <StatusBadge tone={TONES[review.status]}>{t.inbox.states[review.status]}</StatusBadge>
    </>
  );
  return (
    <Page title={review.name} heading={heading}>
      <p className="muted">{t.inbox.kinds[review.kind]}</p>
      <OpeningLines review={review} matter={matter.data} />
      <Loaded query={matter}>{(opened) => <Decide review={review} matter={opened} people={people.data} />}</Loaded>
      <div className="columns">
        <div>
          <ChangesSince review={review} lastSeen={lastSeen} />
          <Facts review={review} people={people.data} matter={matter.data} />
          <Reach review={review} />
          <History review={review} lastSeen={lastSeen} />
        </div>
        <div>
          <Deciders query={people} />
          <HandOn review={review} people={people.data} />
          <Comments review={review} people={people.data} />
        </div>
      </div>
    </Page>
  );
}
