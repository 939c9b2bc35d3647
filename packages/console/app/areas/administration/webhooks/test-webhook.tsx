import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { answerOf } from "./answer.js";

const words = t.webhooks;

/** Posts a signed test message, and says what became of it. */
export function TestWebhook({ id }: { readonly id: string }) {
  const cache = useQueryClient();
  const test = useMutation({
    mutationFn: async () => (await client.POST("/api/v1/webhooks/{id}/test", { params: { path: { id } } })).data,
    onSettled: () => cache.invalidateQueries({ queryKey: ["webhook"] }),
  });
  const { data } = test;
  return (
    <>
      <button type="button" aria-disabled={test.isPending} onClick={() => !test.isPending && test.mutate()}>
        {words.test}
      </button>
      {test.isError && <Failed error={test.error} />}
      <p role="status">
        {data && (
          <Text>{data.outcome === "delivered" ? words.tested.delivered : words.tested.failed(answerOf(data))}</Text>
        )}
      </p>
    </>
  );
}
