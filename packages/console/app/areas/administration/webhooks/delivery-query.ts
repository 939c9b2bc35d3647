import { queryOptions } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";

/** How often it is asked, in ms: deliveries leave no event. */
const EVERY = 5_000;

/** How far a webhook is. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey("webhook", id, "delivery"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/webhooks/{id}/delivery", { params: { path: { id } }, signal })).data,
    refetchInterval: EVERY,
  });
