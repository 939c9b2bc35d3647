import type { UseQueryResult } from "@tanstack/react-query";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Person } from "../../../ui/person.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import type { People } from "../kinds.js";

/** Who may decide, and who may not, with the conflict in words. */
export function Deciders({ query }: { readonly query: UseQueryResult<People> }) {
  return (
    <section aria-label={t.inbox.deciders.title}>
      <h2>{t.inbox.deciders.title}</h2>
      <Loaded query={query}>
        {({ deciders, complete }) => (
          <>
            {deciders.length === 0 && <p>{t.inbox.deciders.none}</p>}
            <ul className="plain">
              {deciders.map((person) => (
                <li key={person.id}>
                  <Person person={person} />{" "}
                  {person.mayDecide ? (
                    <StatusBadge tone="good">{t.inbox.deciders.may}</StatusBadge>
                  ) : (
                    <>
                      <StatusBadge tone="neutral">{t.inbox.deciders.mayNot}</StatusBadge>
                      <span className="small muted">
                        {" "}
                        <Text>{person.conflict}</Text>
                      </span>
                    </>
                  )}
                </li>
              ))}
            </ul>
            {!complete && <p className="muted">{t.inbox.deciders.more}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}
