import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { type Program, program } from "@reeve/testkit/programs";

interface Ports {
  readonly own: number;
  readonly reeve: number;
  readonly mcp: number;
}

/** A proxy that asks Reeve before each request, with its configuration. */
export interface Proxy {
  readonly program: Program;
  /** Writes its files into a folder, and gives the arguments that start it. */
  readonly configure: (folder: string, ports: Ports) => readonly string[];
}

/** Headers of the sender that only the proxy may set. */
const OWN = ["X-Reeve-Session", "X-Forwarded-Method", "X-Forwarded-Uri", "X-Forwarded-Host"];

const write = (folder: string, name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const nginx = (folder: string, { own, reeve, mcp }: Ports): string => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  server {
    listen 127.0.0.1:${own};
    location / {
      auth_request /reeve;
      proxy_pass http://127.0.0.1:${mcp};
    }
    location = /reeve {
      internal;
      proxy_pass http://127.0.0.1:${reeve}/forward-auth;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header X-Original-Method $request_method;
      proxy_set_header X-Original-Uri $request_uri;
      proxy_set_header X-Reeve-Server Files;
      ${OWN.map((name) => `proxy_set_header ${name} "";`).join(" ")}
    }
  }
}`;

const caddyfile = (folder: string, { own, reeve, mcp }: Ports): string => `{
  admin off
  auto_https off
  storage file_system ${folder}
}
http://127.0.0.1:${own} {
  request_header -X-Reeve-Session
  request_header -X-Original-Method
  request_header -X-Original-Uri
  forward_auth 127.0.0.1:${reeve} {
    uri /forward-auth
    header_up X-Reeve-Server Files
  }
  reverse_proxy 127.0.0.1:${mcp}
}
`;

const LUA = (reeve: number) => `
local passed = { "authorization", "mcp-method", "mcp-name" }
core.register_action("ask_reeve", { "http-req" }, function(txn)
  local sent = txn.http:req_get_headers()
  local headers = { ["x-reeve-server"] = { "Files" }, ["x-original-method"] = { txn.f:method() }, ["x-original-uri"] = { txn.f:path() } }
  for _, name in ipairs(passed) do
    if sent[name] ~= nil then
      headers[name] = {}
      for _, value in pairs(sent[name]) do table.insert(headers[name], value) end
    end
  end
  local answer = core.httpclient():get{ url = "http://127.0.0.1:${reeve}/forward-auth", headers = headers, timeout = 3000 }
  txn:set_var("txn.passes", answer ~= nil and answer.status == 200)
end)
`;

const haproxy = (script: string, { own, mcp }: Ports): string => `
global
  lua-load ${script}
defaults
  mode http
  timeout connect 3s
  timeout client 30s
  timeout server 30s
frontend own
  bind 127.0.0.1:${own}
  http-request lua.ask_reeve
  http-request deny deny_status 403 unless { var(txn.passes) -m bool }
  default_backend mcp
backend mcp
  server mcp 127.0.0.1:${mcp}
`;

/** The proxies of Debian. */
export const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: program("nginx", "nginx"),
    configure: (folder, ports) => ["-p", folder, "-c", write(folder, "nginx.conf", nginx(folder, ports))],
  },
  caddy: {
    program: program("caddy", "caddy"),
    configure: (folder, ports) => [
      ...["run", "--adapter", "caddyfile", "--config"],
      write(folder, "Caddyfile", caddyfile(folder, ports)),
    ],
  },
  haproxy: {
    program: program("haproxy", "haproxy"),
    configure: (folder, ports) => [
      "-f",
      write(folder, "haproxy.cfg", haproxy(write(folder, "reeve.lua", LUA(ports.reeve)), ports)),
    ],
  },
};

/** A proxy that runs, and what stops it. */
export async function startProxy({ program: { path }, configure }: Proxy, folder: string, ports: Omit<Ports, "own">) {
  const own = await freePort();
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(path as string, configure(folder, { ...ports, own }), {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const ended = once(child, "close");
  await listening(own, child, () => errors);
  return {
    url: `http://127.0.0.1:${own}/mcp`,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function listening(port: number, child: ChildProcess, errors: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${errors()}`);
    const socket = connect(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
