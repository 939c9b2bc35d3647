import { client } from "../../../api/client.js";
import { wordsOf } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { MOST_VALUES, valuesIn } from "../../../ui/whole.js";
import type { Review } from "../kinds.js";
import { MATTERS } from "../matters/index.js";
import type { OpenedMatter } from "../matters/matter.js";
import { requestOf } from "./decisions.js";

/** A review that is to be approved with others: with the record as it was read, or with what speaks against it. */
export interface Checked {
  readonly review: Review;
  readonly matter?: OpenedMatter;
  /** The server's time when it was read. */
  readonly readAt?: string | null;
  readonly against?: string;
}

/** Reads what each review is about, and says what speaks against approving it with others. */
export async function checkBulk(reviews: readonly Review[], me: string): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const review of reviews) checked.push(await checkOne(review, me));
  return checked;
}

async function checkOne(review: Review, me: string): Promise<Checked> {
  const params = { path: { id: review.id } };
  try {
    const [matter, { data: people, response }] = await Promise.all([
      MATTERS[review.kind](review),
      client.GET("/api/v1/reviews/{id}/people", { params }),
    ]);
    const date = response.headers.get("date");
    const readAt = date === null ? null : new Date(date).toISOString();
    const conflict = people.deciders.find(({ id }) => id === me)?.conflict ?? null;
    const against = againstOf(review, matter, conflict) ?? (await askedFor(matter));
    return against === undefined ? { review, matter, readAt } : { review, against };
  } catch (error) {
    return { review, against: wordsOf(error).title };
  }
}

/** Somebody may have taken back what was asked for. */
const askedFor = async (matter: OpenedMatter) =>
  (await requestOf(matter, "")) === undefined ? t.inbox.bulk.takenBack : undefined;

function againstOf(review: Review, { ways, bound, hides }: OpenedMatter, conflict: string | null): string | undefined {
  if (review.status === "lapsed") return t.inbox.against.lapsed;
  if (!ways.approve) return t.inbox.against.elsewhere;
  if (ways.approve.needs.some((need) => need !== "reason")) return t.inbox.bulk.needsMore;
  if (conflict !== null) return t.inbox.against.conflict(conflict);
  if (hides.length > 0) return t.inbox.bulk.hides;
  if (review.comments.length > 0) return t.inbox.bulk.hasComments;
  return valuesIn(bound) > MOST_VALUES ? t.inbox.against.tooMuch : undefined;
}
