#!/usr/bin/env bash
# @modelcontextprotocol/client 2.4.0: an authorization server without an authorization endpoint is not discovered, even for client credentials.
#
# RFC 8414 requires `authorization_endpoint` unless no grant type is supported that uses it. A server of machine tokens, which knows client credentials and JWT bearer assertions alone,
# may leave it out. The client has providers for just these grants, and its discovery refuses the metadata. The server has to name an endpoint that it does not have.
# Seen on Node 20.20: discovery rejects, and names authorization_endpoint; with any address there it gives the metadata.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/client@2.4.0
cat >run.mjs <<'JS'
import { createServer } from "node:http";
import * as library from "@modelcontextprotocol/client";

console.log("a provider of client credentials:", typeof library.ClientCredentialsProvider);
for (const has of [false, true]) {
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${server.address().port}`;
    if (request.url !== "/.well-known/oauth-authorization-server") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        issuer,
        token_endpoint: `${issuer}/token`,
        grant_types_supported: ["client_credentials"],
        response_types_supported: [],
        ...(has ? { authorization_endpoint: `${issuer}/none` } : {}),
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const outcome = await library
    .discoverAuthorizationServerMetadata(`http://127.0.0.1:${server.address().port}`)
    .then(
      (found) => (found?.token_endpoint ? "found" : "nothing"),
      (error) => `refused, ${String(error).includes("authorization_endpoint") ? "for authorization_endpoint" : error}`,
    );
  console.log(has ? "with an authorization endpoint:" : "without one:", outcome);
  server.close();
}
JS
seen=$(node run.mjs)
echo "@modelcontextprotocol/client 2.4.0"
echo "$seen"
[ "$seen" = "a provider of client credentials: function
without one: refused, for authorization_endpoint
with an authorization endpoint: found" ]
