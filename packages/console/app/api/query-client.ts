import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ProblemError } from "./client.js";
import { ME } from "./me.js";

/** A session that ended shows the sign-in page, wherever one is; what was read before it is not shown to the next one. */
function onError(error: unknown): void {
  if (ProblemError.is(error) && error.status === 401 && queryClient.getQueryData(ME) !== null) {
    queryClient.clear();
    queryClient.setQueryData(ME, null);
  }
}

/** The cache of answers. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client has sent it again already where that can help.
      retry: false,
    },
  },
});
