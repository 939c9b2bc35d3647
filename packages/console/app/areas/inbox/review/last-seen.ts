import { useEffect, useState } from "react";

/** When one looked at this review before, in this browser. Only the moment is kept. */
export function useLastSeen(id: string): string | undefined {
  const key = `seen ${id}`;
  const [before] = useState(() => localStorage.getItem(key) ?? undefined);
  useEffect(() => localStorage.setItem(key, new Date().toISOString()), [key]);
  return before;
}
