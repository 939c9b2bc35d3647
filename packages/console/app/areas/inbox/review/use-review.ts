import { useQuery, useQueryClient } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import type { Review } from "../kinds.js";
import { MATTERS } from "../matters/index.js";

const path = (id: string) => ({ params: { path: { id } } });

export function useReview(id: string) {
  return useQuery({
    queryKey: recordKey("review", id),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/reviews/{id}", { ...path(id), signal })).data,
  });
}

/** What is decided about, as it is now. What was on the screen is what a decision names. */
export function useMatter(review: Review) {
  return useQuery({
    queryKey: recordKey("review", review.id, "matter"),
    queryFn: () => MATTERS[review.kind](review),
  });
}

export function usePeople({ id }: Review) {
  return useQuery({
    queryKey: recordKey("review", id, "people"),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/reviews/{id}/people", { ...path(id), signal })).data,
  });
}

/** Has everything about reviews read again, after an act on one. */
export function useReadAgain() {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ["review"] }),
      queryClient.invalidateQueries({ queryKey: ["me"] }),
    ]);
  };
}
