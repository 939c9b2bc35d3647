// Hosts with the code of docs/guides/frameworks.md.
import { snippet } from "./guide.js";
import type { Host } from "./host.js";

const REEVE = ["@reeve/core", "@reeve/store-sqlite"];
const TYPES = ["typescript@5.9.3", "@types/node@20.19.43", "@types/react@19.3.1"];
const TSCONFIG = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  jsx: "preserve",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Next of that version. `next build` checks the types with the options that a new project gets from it. */
const next = (version: string): Host => ({
  name: `Next ${version}`,
  packages: [`next@${version}`, "react@19.2.9", "react-dom@19.2.9", ...TYPES],
  reeve: REEVE,
  files: {
    "next.config.mjs": snippet("next-config"),
    "lib/control-plane.ts": snippet("next-control-plane"),
    "app/governance/[...path]/route.ts": snippet("next-route"),
    "app/layout.tsx":
      'export default function Layout({ children }: { children: React.ReactNode }) { return <html lang="en"><body>{children}</body></html>; }\n',
    "app/page.tsx": "export default function Page() { return <p>The host's own page</p>; }\n",
    "instrumentation.ts": snippet("next-instrumentation"),
  },
  build: [["next", "build"]],
  start: ["next", "start", "--hostname", "127.0.0.1"],
  env: { NEXT_MANUAL_SIG_HANDLE: "true" },
  prefix: "/governance",
});

const reactRouter = (version: string): Host => ({
  name: `React Router ${version}`,
  packages: [
    ...["dev", "node", "serve"].map((name) => `@react-router/${name}@${version}`),
    ...[`react-router@${version}`, "react@19.2.9", "react-dom@19.2.9", "vite@7.3.8", "isbot@5.2.3", ...TYPES],
  ],
  reeve: REEVE,
  files: {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    "tsconfig.json": JSON.stringify({ compilerOptions: TSCONFIG, include: ["app"] }),
    "vite.config.ts":
      'import { reactRouter } from "@react-router/dev/vite";\nexport default { plugins: [reactRouter()] };\n',
    "app/control-plane.server.ts": snippet("react-router-control-plane"),
    "app/governance.ts": snippet("react-router-route"),
    "app/routes.ts": snippet("react-router-routes"),
    "app/root.tsx":
      'import { Outlet } from "react-router";\nexport default function Root() { return <html lang="en"><body><Outlet /></body></html>; }\n',
  },
  build: [["tsc"], ["react-router", "build"]],
  start: ["react-router-serve", "./build/server/index.js"],
  prefix: "/governance",
});

const hono: Host = {
  name: "Hono 4",
  packages: ["hono@4.13.19", "@hono/node-server@2.1.8"],
  reeve: REEVE,
  files: { "main.mjs": snippet("hono") },
  start: ["node", "main.mjs"],
  prefix: "/governance",
};

export const FRAMEWORKS: readonly Host[] = [next("15.5.29"), next("16.4.6"), reactRouter("7.18.4"), hono];
