import { snippet } from "./guide.js";
import type { Host } from "./host.js";

const REEVE = ["@reeve/core", "@reeve/store-sqlite"];
const LOOPBACK = 'hostname: "127.0.0.1", port: ';

/** Hosts of docs/guides/frameworks.md in other runtimes than Node. Their npm packages bring the program. */
export const RUNTIMES: readonly Host[] = [
  {
    name: "Bun 1.4",
    packages: ["bun@1.4.5"],
    reeve: REEVE,
    files: { "main.mjs": snippet("bun").replace("port: ", LOOPBACK) },
    start: ["node_modules/@oven/bun-linux-x64/bin/bun", "main.mjs"],
    prefix: "",
  },
  {
    name: "Deno 2.9",
    packages: ["deno@2.9.6"],
    reeve: REEVE,
    files: { "main.mjs": snippet("deno").replace("port: ", LOOPBACK) },
    start: [
      ...["node_modules/@deno/linux-x64-glibc/deno", "run", "--allow-net", "--allow-env", "--allow-sys"],
      ...["--allow-read", "--allow-write", "main.mjs"],
    ],
    prefix: "",
  },
];
