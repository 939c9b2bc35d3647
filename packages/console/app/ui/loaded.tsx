import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failed, Loading } from "./states.js";

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query gave, or why it gives nothing. What was read before stays while it is read again. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}
