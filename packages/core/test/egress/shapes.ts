import { RANGES, SPECIAL } from "./ranges.js";

/** A URL for a target that must not be reached. `answers` are the resolver's, the canary's addresses when absent. */
export interface Shape {
  readonly name: string;
  readonly url: string;
  readonly answers?: readonly string[];
}

const LITERALS = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.0.0.1.", "127.000.000.001", "127.0.0.2", "127.255.255.254"],
  ...["2130706433", "2130706433.", "017700000001", "0177.0.0.1", "0177.0.01", "00000000177.0.0.1", "0177.0x0.0.1"],
  ...["0x7f000001", "0X7F000001", "0x7f.1", "0x7f.0.0.1", "0x7f.0x0.0x0.0x1", "0x000000007f.1", "127.0x1", "127.65537"],
  ...["0", "0.0", "0.0.0.0", "0x0", "00"],
  ...["10.1", "0xa000001", "167772161", "172.16.1", "0300.0250.0.1", "3232235521", "192.168.1"],
  ...["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "0xa9.254.0251.254"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::0.0.0.1]", "[::]", "[::0]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::FFFF:7F00:0001]", "[::127.0.0.1]"],
  ...["[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::127.0.0.1]"],
  ...["[2002:7f00:1::]", "[2002:7f00:1::1]", "[2001:0:7f00:1::]", "[2001::80ff:fffe]", "[::ffff:169.254.169.254]"],
  ...["[fe80::1]", "[fe80::1%25lo]", "[::1%25lo]", "[::1%lo]", "[fc00::1]", "[fd12:3456::1]", "[fec0::1]", "[ff02::1]"],
  ...[
    "①②⑦.⓪.⓪.①",
    "１２７.０.０.１",
    "127。0。0。1",
    "127．0．0．1",
    "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "²130706433",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "loc\u00adalhost",
  ],
  ...["%31%32%37.0.0.1", "127%2e0%2e0%2e1", "%6c%6f%63alhost", "0x7%66.1"],
  ...["127.0.0.1.nip.io", "127.0.0.1..", "1.127.0.0.1", "256.0.0.1", "127.0.0.0x", "4294967297", "0x17f000001"],
];

/** Local names, which are refused before any lookup. */
export const LOCAL_NAMES = [
  ...["localhost", "LOCALHOST", "LocalHost", "localhost.", "a.localhost", "a.b.localhost.", "127.0.0.1.localhost"],
  ...["localhost.localdomain", "metadata", "metadata.google.internal", "metadata.google.internal.", "instance-data"],
  ...["instance-data.ec2.internal", "host.docker.internal", "gateway.docker.internal", "redis", "kubernetes"],
  ...["kubernetes.default.svc.cluster.local", "printer.local", "router.home.arpa", "vault.internal", "intranet"],
] as const;

/** Ordinary names that resolve to addresses that are not public. */
const ANSWERS: readonly (readonly [name: string, answers: readonly string[]])[] = [
  ...RANGES.flatMap(({ name, first, last }) => [
    [`first of ${name}`, [first]] as const,
    [`last of ${name}`, [last]] as const,
  ]),
  ...SPECIAL.map((address) => [address, [address]] as const),
  ["public, then loopback", ["93.184.215.14", "127.0.0.1"]],
  ["loopback, then public", ["127.0.0.1", "93.184.215.14"]],
  ["public IPv4, loopback IPv6", ["93.184.215.14", "::1"]],
  ["public IPv6, private IPv4", ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "10.0.0.1"]],
  ["nine public, one metadata", [...Array.from({ length: 9 }, (_, index) => `93.184.215.${index}`), "169.254.169.254"]],
  ["public, then mapped", ["93.184.215.14", "::ffff:127.0.0.1"]],
  ["an address with a zone", ["::1%lo"]],
  ["a link-local address with a zone", ["fe80::1%lo"]],
  ["a name", ["localhost"]],
  ["a number", ["2130706433"]],
  ["a short form", ["127.1"]],
  ["a hex form", ["0x7f.1"]],
  ["an octal form", ["0177.0.0.1"]],
  ["an empty text", [""]],
  ["an address with a port", ["127.0.0.1:80"]],
  ["an address in brackets", ["[::1]"]],
];

/** URLs for targets that are not public, at a port that would be allowed for a public one. */
export function innerShapes(port: number): Shape[] {
  return [
    ...[...LITERALS, ...LOCAL_NAMES].map((host) => ({ name: host, url: `https://${host}:${port}/` })),
    ...ANSWERS.map(([name, answers]) => ({ name, answers, url: `https://service.example:${port}/` })),
  ];
}

/** URLs refused for their form, even when their address is allowed. */
export function malformedShapes(port: number): Shape[] {
  const at = `127.0.0.1:${port}`;
  return [
    `https://service.example@${at}/`,
    `https://${at}@service.example:${port}/`,
    `https://user:word@${at}/`,
    `https://user@service.example:${port}/`,
    `https://:word@service.example:${port}/`,
    `https://service.example%40@${at}/`,
    `https://service.example:443@${at}/`,
    `https://service.example:${port}#@${at}/`,
    `https://${at}#@service.example/`,
    `https://${at}/#`,
    `https://${at}/a#b`,
    `https://service.example:${port}\\@${at}/`,
    `https:\\\\${at}\\`,
    `https://${at}/\\service.example`,
    `https://${at}/a b`,
    ` https://${at}/`,
    `https://${at}/\u0000`,
    `https://${at}/\u0085`,
    `https://12\t7.0.0.1:${port}/`,
    `https://127.0.0.1\n:${port}/`,
    `https://${at}/\r\nX-Injected: yes`,
    `https://${at}/?a=\r\n\r\nGET /admin HTTP/1.1`,
    `https://${at}/\u2028\r`,
    `https://ser vice.example:${port}/`,
    `https://service..example:${port}/`,
    `https://.service.example:${port}/`,
    `https://-service.example:${port}/`,
    `https://service.example..:${port}/`,
    `https://${"a".repeat(64)}.example:${port}/`,
    `https://${"a.".repeat(127)}example:${port}/`,
    `https://ser$vice.example:${port}/`,
    `https://service.example,127.0.0.1:${port}/`,
    `https://${at}/${"a".repeat(8_192)}`,
    `ftp://${at}/`,
    `ws://${at}/`,
    `wss://${at}/`,
    `gopher://${at}/_GET`,
    `unix:${at}`,
    `http+unix://%2Fvar%2Frun%2Fdocker.sock/info`,
    "file:///etc/passwd",
    "data:text/plain,inside",
    "javascript:alert(1)",
    "blob:https://service.example/1",
    `jar:http://${at}!/`,
    `//${at}/`,
    at,
    "/etc/passwd",
    "",
    "https://",
    `https://:${port}/`,
    `https://127.0.0.1:99999/`,
    `https://[::1/`,
    `https://[127.0.0.1]:${port}/`,
    `view-source:https://${at}/`,
  ].map((url) => ({ name: JSON.stringify(url.slice(0, 60)), url }));
}

/** Public targets without https, or at another port than 443. */
export const UNUSUAL_WAYS: readonly string[] = [
  "http://service.example/",
  "http://service.example:443/",
  "http://93.184.215.14/",
  ...[0, 1, 22, 25, 53, 80, 2375, 3306, 5432, 6379, 8080, 8443, 9200, 11211, 27017, 65535].map(
    (port) => `https://service.example:${port}/`,
  ),
  "https://93.184.215.14:8443/",
  "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/",
];
