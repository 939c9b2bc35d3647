import { listed, type Options } from "../options.js";

export const NPX: Options = {
  flags: listed(`
    -y --yes -n --no --no-install --ignore-existing -q --quiet -s --silent -d --verbose --prefer-online
    --prefer-offline --offline --workspaces --include-workspace-root --no-audit --no-fund
    --strict-allow-scripts --dangerously-allow-all-scripts`),
  values: listed("-w --workspace --cache --loglevel --node-options --script-shell --allow-scripts"),
  packages: ["-p", "--package"],
  other: listed("-c --call --registry --userconfig --prefix -C"),
};

export const PNPM: Options = {
  flags: listed(`
    -s --silent --color --no-color --offline --prefer-offline -y --yes --ignore-workspace --no-progress --stream
    --aggregate-output --use-stderr -w --workspace-root --fail-if-no-match --no-fail-if-no-match
    --include-workspace-root --no-include-workspace-root --sort --no-sort --reverse --parallel`),
  values: listed(`
    -C --dir --reporter --loglevel --allow-build --cpu --os --libc --env-file --store-dir --state-dir
    --workspace-packages --https-proxy --http-proxy --no-proxy --test-pattern --changed-files-ignore-pattern
    --workspace-concurrency`),
  packages: ["--package"],
  other: listed(`
    -c --shell-mode --registry --npmrc-auth-file --userconfig -r --recursive -F --filter --filter-prod`),
};

export const YARN: Options = { flags: ["-q", "--quiet"], values: [], packages: ["-p", "--package"] };

export const BUNX: Options = {
  flags: listed("--bun -b -y --yes --silent --verbose --no-install --trust --ignore-scripts"),
  values: listed("--cwd --env-file --minimum-release-age --ca --cafile"),
  packages: ["-p", "--package"],
  other: ["--registry"],
};

/** Many options of Deno take a value after `=` only. These are flags here. */
export const DENO: Options = {
  clusters: true,
  flags: listed(`
    -A --allow-all -R --allow-read -W --allow-write -I --allow-import -N --allow-net -E --allow-env -S --allow-sys
    --allow-run --allow-ffi --allow-scripts --deny-read --deny-write --deny-net --deny-env --deny-sys --deny-run
    --deny-ffi --deny-import --ignore-env --ignore-read -P --permission-set --no-prompt -q --quiet --check
    --no-check --no-lock --no-config --no-remote --no-npm --cached-only --frozen --frozen-lockfile -r --reload
    --unstable --node-modules-dir --vendor --env-file --watch --hmr --watch-exclude --no-clear-screen
    --no-code-cache --coverage --use-env-proxy --unsafely-ignore-certificate-errors --inspect --inspect-brk
    --inspect-wait --v8-flags`),
  values: listed(`
    -c --config --import-map --lock --cert --seed -L --log-level --ext --location --preload --require --conditions
    --min-dep-age --node-modules-linker --inspect-publish-uid`),
};
