import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../../api/client.js";

interface Marked {
  readonly id: string;
  readonly read: boolean;
}

/** Marks a notice as read or unread, however it has changed meanwhile. */
export function useMark() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, read }: Marked) =>
      client.PATCH("/api/v1/me/notices/{id}", { params: { path: { id } }, ifMatch: "*", body: { read } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ["notice"] }),
  });
}

/** Marks every notice that was given until a moment, in as many requests as that takes. */
export function useMarkAll() {
  const cache = useQueryClient();
  return useMutation({
    async mutationFn(until: string) {
      for (let more = true; more; )
        ({ more } = (await client.POST("/api/v1/me/notices/read", { body: { until } })).data);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ["notice"] }),
  });
}
