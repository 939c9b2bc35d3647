import { useQuery } from "@tanstack/react-query";
import { createRootRoute, Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { configQuery } from "../api/config.js";
import { meQuery } from "../api/me.js";
import { t } from "../texts/index.js";
import { Empty, Failed, Loading } from "../ui/states.js";

const SignInPage = lazy(async () => ({ default: (await import("../areas/session/sign-in-page.js")).SignInPage }));

/** Everything: who is not signed in sees the sign-in page, at the address they wanted. */
export const rootRoute = createRootRoute({
  component: Root,
  errorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
  notFoundComponent: () => <Empty {...t.shell.notFound} />,
});

function Root() {
  const me = useQuery(meQuery);
  const { data: config } = useQuery(configQuery);
  useEffect(() => {
    if (config?.accent) document.documentElement.style.setProperty("--accent", config.accent);
  }, [config]);
  if (me.data) return <Outlet />;
  if (me.isError) return <Failed error={me.error} onRetry={() => void me.refetch()} />;
  if (me.data === undefined) return <Loading />;
  return (
    <Suspense fallback={<Loading />}>
      <SignInPage />
    </Suspense>
  );
}
