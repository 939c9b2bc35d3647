import { useQuery } from "@tanstack/react-query";
import type { components } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { deliveryQuery } from "./delivery-query.js";

type WebhookDelivery = components["schemas"]["WebhookDelivery"];

const words = t.webhooks.delivery;

/** How far a webhook is, and since when it fails. */
export function Delivery({ id }: { readonly id: string }) {
  const delivery = useQuery(deliveryQuery(id));
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <Loaded query={delivery}>{(data) => <DefinitionList items={factsOf(data)} />}</Loaded>
    </section>
  );
}

function factsOf(delivery: WebhookDelivery) {
  const { position, waiting, more, failingSince, failures, lastFailure, nextAttemptAt, lastDeliveredAt } = delivery;
  return [
    [words.position, t.number(position)],
    [words.waiting, words.waits(waiting, more)],
    [words.delivered, <Time key="d" at={lastDeliveredAt} absent={t.time.never} age />],
    [words.failing, <Time key="f" at={failingSince} absent={words.works} />],
    ...(failingSince === null
      ? []
      : ([
          [words.failures, t.number(failures)],
          [words.last, <Text key="l">{lastFailure}</Text>],
          [words.next, <Time key="n" at={nextAttemptAt} age />],
        ] as const)),
  ] as const;
}
