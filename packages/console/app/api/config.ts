import { queryOptions } from "@tanstack/react-query";
import { consoleUrl } from "./base.js";

/** How the host wants the console. */
export interface ConsoleConfig {
  readonly name: string;
  readonly logo: string | null;
  readonly accent: string | null;
  readonly links: readonly { readonly label: string; readonly href: string }[];
  readonly areas: readonly string[] | null;
  readonly refuseHidden: boolean;
  readonly signIn: {
    readonly password: boolean;
    readonly host: boolean;
    /** OpenID providers, each with the text of its button. */
    readonly openid: readonly { readonly name: string; readonly label: string }[];
  };
  readonly registration: "open" | "verified_email" | "closed";
  /** No organisation is there yet, and anybody may make the first one. */
  readonly isEmpty: boolean;
}

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: async (): Promise<ConsoleConfig> => {
    const response = await fetch(new URL("config.json", consoleUrl));
    if (!response.ok) throw new Error(`config.json: ${response.status}`);
    return response.json();
  },
  staleTime: Number.POSITIVE_INFINITY,
});
