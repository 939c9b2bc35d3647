import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import type { Policy } from "../terms.js";

const words = t.policies.activation;

/** What putting a policy in force takes, and what stands against oneself. */
export function useActivation({ id }: Pick<Policy, "id">) {
  const me = useMe();
  const query = useQuery({
    queryKey: recordKey("ai_policy", id, "activation"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/policies/{id}/activation", { params: { path: { id } }, signal })).data,
  });
  return { query, mine: query.data?.people.find((person) => person.id === me.id) };
}

/** Who may put a policy in force, who may not and why, and what must be mended first. */
export function ActivationOf({ policy }: { readonly policy: Policy }) {
  const { query, mine } = useActivation(policy);
  return (
    <section>
      <h2>{words.title}</h2>
      <Loaded query={query}>
        {({ holdsBack, hindrances, people, complete }) => (
          <>
            <p>{holdsBack ? words.two : words.one}</p>
            {mine?.conflict && (
              <p className="against">
                {words.youMayNot} <Text>{mine.conflict}</Text>
              </p>
            )}
            {hindrances.length > 0 && (
              <>
                <h3>{words.hindrances}</h3>
                <ul>
                  {hindrances.map((one) => (
                    <li key={one}>
                      <Text>{one}</Text>
                    </li>
                  ))}
                </ul>
              </>
            )}
            {people.length === 0 && <p>{words.none}</p>}
            <ul className="plain">
              {people.map(({ id, name, mayDecide, conflict }) => (
                <li key={id}>
                  <Text>{name}</Text>{" "}
                  <StatusBadge tone={mayDecide ? "good" : "neutral"}>
                    {mayDecide ? words.may : words.mayNot}
                  </StatusBadge>
                  {conflict && (
                    <span className="small muted">
                      {" "}
                      <Text>{conflict}</Text>
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {!complete && <p className="muted">{words.more}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}
