/**
 * Ranges that are not public, with first and last address and the public neighbours on either side. From the IANA
 * registries.
 */
export interface SpecialRange {
  readonly name: string;
  readonly first: string;
  readonly last: string;
  readonly before?: string;
  readonly after?: string;
}

const range = (name: string, first: string, last: string, before?: string, after?: string): SpecialRange => ({
  name,
  first,
  last,
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
});

export const RANGES: readonly SpecialRange[] = [
  range("this network", "0.0.0.0", "0.255.255.255", undefined, "1.0.0.0"),
  range("private 10/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
  range("shared address space", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
  range("loopback", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
  range("link-local", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
  range("private 172.16/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
  range("IETF protocols", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
  range("TEST-NET-1", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
  range("AS112 192.31.196/24", "192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"),
  range("AMT", "192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"),
  range("6to4 relays", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
  range("private 192.168/16", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
  range("AS112 192.175.48/24", "192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"),
  range("benchmarks", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
  range("TEST-NET-2", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
  range("TEST-NET-3", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
  range("multicast and reserved", "224.0.0.0", "255.255.255.255", "223.255.255.255"),
  range("outside global unicast, below", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", undefined, "2000::"),
  range("IETF protocols, Teredo", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", undefined, "2001:200::"),
  range(
    "documentation",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db9::",
  ),
  range("6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", "2003::"),
  range("AS112 v6", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "2620:4f:7fff::", "2620:4f:8001::"),
  range("documentation, RFC 9637", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe::", "3fff:1000::"),
  range("outside global unicast, above", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::"),
];

/** Single addresses in those ranges, and metadata addresses of clouds. */
export const SPECIAL: readonly string[] = [
  ...["::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8"],
  ...["64:ff9b::8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b:1::10.0.0.1", "100::1", "5f00::1"],
  ...["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1"],
  ...["2001:0:808:808::", "2001:10::1", "2001:20::1", "2001:30::1", "2002:7f00:1::1", "2002:808:808::1"],
  ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "192.0.0.192", "100.100.100.200", "168.63.129.16"],
  ...["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "239.255.255.250"],
];
