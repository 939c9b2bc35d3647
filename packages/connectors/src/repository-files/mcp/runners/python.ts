import { listed, type Options } from "../options.js";

export const UVX: Options = {
  flags: listed(`
    -n --no-cache --isolated -U --upgrade --reinstall --refresh --no-build --no-binary --no-sources
    --no-build-isolation --compile-bytecode --managed-python --no-managed-python --no-python-downloads
    --allow-python-downloads --offline --native-tls --no-progress --no-config --no-env-file --strict --lfs -q
    --quiet -v --verbose`),
  values: listed(`
    -w --with --with-editable --with-requirements -c --constraints -b --build-constraints --overrides -p
    --python --python-platform --python-preference --env-file -P --upgrade-package --reinstall-package
    --refresh-package --index-strategy --keyring-provider --resolution --prerelease --fork-strategy
    --exclude-newer --exclude-newer-package --link-mode -C --config-setting --no-build-package
    --no-binary-package --torch-backend --cache-dir --color --allow-insecure-host --directory --project
    --config-file`),
  packages: ["--from"],
  other: listed("--index --default-index -i --index-url --extra-index-url -f --find-links --no-index"),
};

export const PIPX: Options = {
  flags: listed("--no-cache --pypackages --system-site-packages -q --quiet -v --verbose --fetch-missing-python"),
  values: listed("--python --with --backend"),
  packages: ["--spec"],
  other: listed("--path -e --editable -i --index-url --pip-args"),
};
