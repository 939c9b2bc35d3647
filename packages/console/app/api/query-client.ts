import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ProblemError } from "./client.js";
import { ME } from "./me.js";

/** Shows the sign-in page, wherever one is. What was read by one person is not shown to the next one. */
export function forgetSession(): void {
  queryClient.setQueryData(ME, null);
  queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== ME[0] && first !== "config" });
}

/** A session can end at any moment. */
function onError(error: unknown): void {
  if (ProblemError.is(error) && error.status === 401 && queryClient.getQueryData(ME)) forgetSession();
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
