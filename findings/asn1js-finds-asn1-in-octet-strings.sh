#!/usr/bin/env bash
# asn1js 4.0.0: an OCTET STRING whose bytes may be read as ASN.1 gets what they say as its value, though it is primitive.
#
# Hashes, key ids and signatures are any bytes, so now and then they look like ASN.1. A walk over `valueBlock.value` then enters them. Whoever looks for lengths that DER does
# not have refuses a valid time stamp or certificate about once in five thousand such fields, always the same one. `idBlock.isConstructed` tells both apart.
# Seen on Node 20.20:
#   a hash that is only bytes: constructed=false, 0 within, indefinite=false
#   a hash that looks like ASN.1: constructed=false, 1 within, indefinite=true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund asn1js@4.0.0
cat >run.mjs <<'JS'
import { fromBER } from "asn1js";
const hashes = {
  "is only bytes": "ff".repeat(20),
  "looks like ASN.1": `3080040e${"5a".repeat(14)}0000`,
};
for (const [name, bytes] of Object.entries(hashes)) {
  // An OCTET STRING of 20 bytes in DER, as a certificate holds the id of its key.
  const { result } = fromBER(Buffer.from(`0414${bytes}`, "hex"));
  const within = result.valueBlock.value;
  const indefinite = within.some(({ lenBlock }) => lenBlock.isIndefiniteForm);
  console.log(`a hash that ${name}: constructed=${result.idBlock.isConstructed}, ${within.length} within, indefinite=${indefinite}`);
}
JS
seen=$(node run.mjs)
echo "$seen"
[ "$seen" = 'a hash that is only bytes: constructed=false, 0 within, indefinite=false
a hash that looks like ASN.1: constructed=false, 1 within, indefinite=true' ]
