import { queryOptions, useQuery } from "@tanstack/react-query";
import { client, type components, ProblemError } from "./client.js";

export type Me = components["schemas"]["Me"];

export const ME = ["me"] as const;

/** Who one is, what one may do and what waits; `null` for somebody who is not signed in. */
export const meQuery = queryOptions({
  queryKey: ME,
  queryFn: async (): Promise<Me | null> => {
    try {
      return (await client.GET("/api/v1/me")).data;
    } catch (error) {
      if (ProblemError.is(error) && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 30_000,
});

/** The signed-in person. Only for pages within the shell, which is not shown to others. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error("nobody is signed in");
  return data;
}

/** Whether one may do what takes this permission. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useMe();
  return (permission) => permissions.includes(permission);
}
