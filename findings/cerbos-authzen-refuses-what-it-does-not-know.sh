#!/usr/bin/env bash
# Cerbos 0.55.0: its AuthZEN endpoints refuse a question with a member that they do not know, and a batch with one faulty question.
#
# The certification scenario of AuthZEN 1.0 sends members of later versions (`futureField`) and wants a decision with 200. It wants a batch with one faulty question to give a decision for each
# of the others. Cerbos answers both with 400 and decides none of the questions. A client that adds a member for another decision point gets no decision here.
# Seen with @cerbos/cerbos-linux-x64 on Node 20.20: plain 200 true, with futureField 400, a batch with a question without a resource id 400.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${pid:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @cerbos/cerbos-linux-x64@0.55.0
mkdir policies
cat >policies/record.json <<'JSON'
{"apiVersion":"api.cerbos.dev/v1","resourcePolicy":{"resource":"record","version":"default",
"rules":[{"actions":["read"],"effect":"EFFECT_ALLOW","roles":["*"]}]}}
JSON
port=$(node -e 's=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
cat >config.json <<JSON
{"server":{"httpListenAddr":"127.0.0.1:$port","grpcListenAddr":"unix:$folder/grpc.sock"},
"telemetry":{"disabled":true},"storage":{"driver":"disk","disk":{"directory":"policies"}}}
JSON
"$(find node_modules/@cerbos -type f -name 'cerbos*' -perm -u+x | head -1)" server --config=config.json --log-level=error >log 2>&1 &
pid=$!
cat >run.mjs <<'JS'
const url = `http://127.0.0.1:${process.argv[2]}`;
for (let tries = 0; tries < 200; tries += 1) {
  if (await fetch(`${url}/_cerbos/health`).then(({ ok }) => ok, () => false)) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const ask = async (name, path, body) => {
  const answer = await fetch(`${url}/access/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { decision } = await answer.json();
  console.log([name, answer.status, decision].filter((part) => part !== undefined).join(" "));
};
const question = {
  subject: { type: "user", id: "alice" },
  action: { name: "read" },
  resource: { type: "record", id: "record-1" },
};
await ask("plain", "evaluation", question);
await ask("with a member of a later version", "evaluation", { ...question, futureField: { nested: true } });
await ask("a batch with a question without a resource id", "evaluations", {
  ...{ subject: question.subject, action: question.action },
  evaluations: [{ resource: question.resource }, { resource: { type: "record" } }],
});
JS
seen=$(node run.mjs "$port")
echo "@cerbos/cerbos-linux-x64 0.55.0"
echo "$seen"
[ "$seen" = "plain 200 true
with a member of a later version 400
a batch with a question without a resource id 400" ]
