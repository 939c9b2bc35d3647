import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listed } from "../../src/repository-files/mcp/options.js";
import { commandOf } from "../../src/repository-files/mcp/package.js";
import { RUNNERS } from "../../src/repository-files/mcp/runners/runners.js";

const words = (line: string) => line.split(" ");
const run = (line: string) => {
  const [command = "", ...args] = words(line);
  return commandOf(command, args);
};
const reported = (line: string) => {
  const { package: found, remote } = run(line);
  if (remote !== undefined) return remote;
  return found && [found.registryType, found.identifier, found.version ?? ""].join(" ").trim();
};

/** Options of a command, as its own help writes them: `-a, --all`, `--name text`, `--name[=text]`. */
function optionsIn(help: string) {
  const file = new URL(`options/${help}.txt`, import.meta.url);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const names = line.match(/(?<=^|, )--?[a-z0-9][a-z0-9-]*/gi) ?? [];
      const value = /[a-z0-9] \S/i.test(line.replaceAll(", ", ","));
      return names.map((name) => ({ name, first: names[0] ?? name, value, line }));
    });
}

describe("the package of a command line", () => {
  it.each([
    ["npx -y files@1.2.3", "npm files 1.2.3"],
    ["npx.cmd -y @acme/files@latest", "npm @acme/files"],
    ["npx -y -p foo@1.0.0 bin", "npm foo 1.0.0"],
    ["npx --package=@scope/p@2.0.0 -y run", "npm @scope/p 2.0.0"],
    ["npx --loglevel silent -- files", "npm files"],
    ["npm exec -y -- files@1.0.0", "npm files 1.0.0"],
    ["pnpm dlx files@1", "npm files 1"],
    ["pnpm --package=foo dlx bar", "npm foo"],
    ["pnpm --silent dlx --package foo@2 bar", "npm foo 2"],
    ["pnpx files", "npm files"],
    ["yarn dlx -q -p foo bar", "npm foo"],
    ["bunx --bun files@1.0.0", "npm files 1.0.0"],
    ["bun x files", "npm files"],
    ["uvx mcp-server-git==2.0", "pypi mcp-server-git 2.0"],
    ["uvx --python 3.12 mcp-server-git", "pypi mcp-server-git"],
    ["uvx --with requests mcp-server-fetch@latest", "pypi mcp-server-fetch"],
    ["uvx --from git-tools==1.0 serve", "pypi git-tools 1.0"],
    ["uvx --from mcp[cli] mcp", "pypi mcp"],
    ["uv tool run -p 3.13 files", "pypi files"],
    ["uv --directory /srv tool run files", "pypi files"],
    ["pipx run --python 3.12 files", "pypi files"],
    ["pipx run --spec files==1.0 serve", "pypi files 1.0"],
    ["docker run -i --rm --pull always mcp/fetch", "oci mcp/fetch"],
    ["docker run -i --rm --user 1000 mcp/fetch:1.2", "oci mcp/fetch 1.2"],
    ["docker run -itv /a:/b -e KEY -eA=1 -p80:80 --init mcp/fetch", "oci mcp/fetch"],
    ["docker --context remote container run --rm=true mcp/fetch", "oci mcp/fetch"],
    [
      "podman run --rm -i --secret key registry.example.com:5000/acme/fetch:2",
      "oci registry.example.com:5000/acme/fetch 2",
    ],
    ["cmd /c npx -y pkg@1.2.3", "npm pkg 1.2.3"],
    ["cmd.exe /d /s /c npx pkg", "npm pkg"],
    ["env -u HOME KEY=value npx -y pkg", "npm pkg"],
    ["/usr/bin/env uvx pkg", "pypi pkg"],
    ["deno run -A --allow-net=example.com npm:@acme/files@1.0.0", "npm @acme/files 1.0.0"],
    ["deno run -RW=/srv --unstable-kv --env-file --seed 7 npm:files", "npm files"],
    ["bunx -y --cwd /srv files", "npm files"],
    ["pnpm dlx --cpu x64 -w files", "npm files"],
    ["npx --allow-scripts esbuild files", "npm files"],
    ["podman --runtime crun run --uidmap 0:1:1 --passwd --timeout 60 mcp/fetch", "oci mcp/fetch"],
    ["npx -y mcp-remote https://mcp.example.com/sse", "https://mcp.example.com/sse"],
    ["npx mcp-remote@0.1.18 https://mcp.example.com/mcp --header X-A:1", "https://mcp.example.com/mcp"],
    ["mcp-remote https://mcp.example.com/mcp", "https://mcp.example.com/mcp"],
  ])("of %s is %s", (line, expected) => {
    expect(reported(line)).toBe(expected);
  });

  it("in a line for a shell is read where it is words only", () => {
    expect(commandOf("sh", ["-c", "exec npx -y pkg@1.0.0"]).package?.identifier).toBe("pkg");
    expect(commandOf("bash", ["-lc", "uvx pkg"]).package?.identifier).toBe("pkg");
    expect(commandOf("cmd", ["/c", "npx -y pkg"]).package?.identifier).toBe("pkg");
    for (const line of ["cd /srv && npx pkg", "npx $PKG", "npx 'a b'", "npx pkg; id"])
      expect(commandOf("sh", ["-c", line])).toEqual({});
  });

  it.each([
    "npx",
    "npx -y",
    "npx --some-new-option pkg",
    "npx -c npx",
    "npx --registry https://npm.example.com pkg",
    "npx -p one -p two bin",
    "npx ./server",
    "npm run start",
    "pnpm run start",
    "pnpm exec start",
    "yarn start",
    "bun run server.ts",
    "uv run --with mcp mcp run server.py",
    "uv run server.py",
    "uvx --from git+https://git.example.com/acme/files serve",
    "uvx --index-url https://pypi.example.com/simple pkg",
    "docker mcp gateway run",
    "docker compose run srv",
    "docker run --some-new-option mcp/fetch",
    "docker run --uidmap 0:1:1 mcp/fetch",
    "podman run --rootfs /srv/box serve",
    "pipx run --editable files",
    "bunx --registry https://npm.example.com files",
    "pnpm dlx --filter-prod web files",
    "deno run --new-option npm:files",
    "docker exec -i box serve",
    "docker run -e",
    "node server.js",
    "python -m server",
    "deno run -A server.ts",
    "env -S npx",
    "cmd npx pkg",
    "npx mcp-remote",
    "npx mcp-remote 3334",
  ])("of %s is not known", (line) => {
    expect(run(line)).toEqual({});
  });

  it.each([
    ["npm-exec", "npm exec", "files", listed("-c --call")],
    ["pnpm-dlx", "pnpm dlx", "files", listed("-c -F -h -r -v --npmrc-auth-file --registry --filter-prod")],
    ["bunx", "bunx", "files", ["--registry"]],
    ["deno-run", "deno run", "npm:files", []],
    ["pipx-run", "pipx run", "files", listed("-e -h -i --pip-args")],
    ["docker-run", "docker run", "files", ["--help"]],
    ["podman-run", "podman run", "files", ["--help", "--rootfs"]],
    ["podman", "podman", "run files", ["--help", "-v"]],
  ])("is read beside each option that the help of %s has", (help, command, rest, other) => {
    const unread = optionsIn(help).filter(({ name, value, line }) => {
      const found = run(`${command} ${name}${value ? " value" : ""} ${rest}`).package?.identifier;
      // The value of an option that names the package is the package.
      if (/ (<package(-spec)?>|SPEC)$/i.test(line)) expect(found).toBe("value");
      else expect([undefined, "files"], name).toContain(found);
      return found === undefined;
    });
    expect(unread.map(({ name }) => name)).toEqual(expect.arrayContaining([...other]));
    expect(unread.filter(({ first }) => !other.includes(first))).toEqual([]);
  });

  it("is never the value of an option, wherever the option stands", () => {
    const cases = Object.entries(RUNNERS).flatMap(([command, { before, runs }]) =>
      runs.flatMap(({ words: run, options }) => [
        ...options.values.map((option) => ({ command, head: [...run, option], tail: ["the-package"] })),
        ...(before?.values ?? []).map((option) => ({ command, head: [option], tail: [...run, "the-package"] })),
      ]),
    );
    const value = fc.stringMatching(/^v[a-z0-9-]{1,12}$/);
    fc.assert(
      fc.property(fc.constantFrom(...cases), value, ({ command, head, tail }, given) => {
        expect(commandOf(command, [...head, given, ...tail]).package?.identifier).toBe("the-package");
      }),
      { numRuns: 1_000 },
    );
  });
});
