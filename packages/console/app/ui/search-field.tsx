import { useEffect, useState } from "react";
import { TextField } from "./text-field.js";

interface SearchFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Called a moment after the last key, `undefined` for an empty field. */
  readonly onChange: (value: string | undefined) => void;
}

/** How long after the last key a search is sent, in ms. */
const PAUSE = 250;

/** Words to search by, which stand in the address. */
export function SearchField({ label, value = "", onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text.trim() || undefined), PAUSE);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return <TextField label={label} type="search" value={text} maxLength={200} onChange={setText} />;
}
