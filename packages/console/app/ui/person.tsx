import { useMe } from "../api/me.js";
import { t } from "../texts/index.js";
import { Text } from "./text.js";

interface PersonProps {
  /** `null` for who has no name here: the id is shown. `hidden`: there is one that the reader may not see. */
  readonly person: { readonly id: string; readonly name: string | null; readonly hidden?: boolean } | null | undefined;
}

/** Somebody by name, and by id where there is none. */
export function Person({ person }: PersonProps) {
  const me = useMe();
  if (!person) return <span className="muted">{t.none}</span>;
  const { id, name, hidden } = person;
  if (name !== null) return <Text>{name}</Text>;
  // Who may see no names still knows their own.
  if (id === me.id) return <Text>{me.name ?? me.username}</Text>;
  if (id === "system") return t.person.system;
  return (
    <code className="text" title={hidden ? t.person.hidden : undefined}>
      {id}
    </code>
  );
}
