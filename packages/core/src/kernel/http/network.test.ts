import { describe, expect, it } from "vitest";
import { networkOf } from "./network.js";

describe("networkOf", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.1", "192.0.2.1"],
    ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:0DB8:0000:0000:ffff::1", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["unknown", "unknown"],
    ["", ""],
    ["zq:alpha", "zq:alpha"],
    ["9.9.9.9:1001", "9.9.9.9"],
    ["[2001:db8::1]:443", "2001:db8:0:0::/64"],
    ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
    ["[fe80::1%eth0]", "fe80:0:0:0::/64"],
  ])("counts %s as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it("S12 looks at no more of an address than one can have", () => {
    const long = ":".repeat(15_000);
    expect(networkOf(long)).toHaveLength(100);
    expect(networkOf(`9.9.9.9:${long}`)).toBe(networkOf(`9.9.9.9:${long}1`));
  });

  it("S12 counts all ports of an address as one peer", () => {
    expect(new Set([1001, 1002, 65_535].map((port) => networkOf(`9.9.9.9:${port}`)))).toEqual(new Set(["9.9.9.9"]));
  });
});
