import { t } from "../texts/index.js";
import { Text } from "./text.js";

interface PersonProps {
  /** `null` for who has no name here: the id is shown. */
  readonly person: { readonly id: string; readonly name: string | null } | null | undefined;
}

/** Somebody by name, and by id where there is none. */
export function Person({ person }: PersonProps) {
  if (!person) return <span className="muted">{t.none}</span>;
  if (person.name !== null) return <Text>{person.name}</Text>;
  return person.id === "system" ? t.person.system : <code className="text">{person.id}</code>;
}
