import { describe, expect, it } from "vitest";
import { kindOf } from "#egress/address.js";
import { openSocket } from "#egress/connect.js";
import { RANGES, SPECIAL } from "./ranges.js";
import { canary } from "./servers.js";

describe("addresses", () => {
  it.each(RANGES.map((each) => [each.name, each] as const))("%s: both ends are inside", (_name, { first, last }) => {
    expect([kindOf(first), kindOf(last)]).not.toContain("public");
  });

  it.each(RANGES.map((each) => [each.name, each] as const))(
    "%s: its neighbours are public",
    (_name, { before, after }) => {
      const neighbours = [before, after].filter((each) => each !== undefined);
      expect(neighbours.length).toBeGreaterThan(0);
      for (const neighbour of neighbours) expect([neighbour, kindOf(neighbour)]).toEqual([neighbour, "public"]);
    },
  );

  it.each(SPECIAL)("%s is not public", (address) => {
    expect(kindOf(address)).not.toBe("public");
  });

  it.each([
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "fd00:ec2::254",
    "FD00:0EC2::0254",
    "::",
    "0.0.0.0",
    "fe80::1",
  ])("%s is special: no name may lead there", (address) => {
    expect(kindOf(address)).toBe("special");
  });

  it.each(["10.0.0.1", "172.16.0.1", "192.168.0.1", "127.0.0.1", "100.64.0.1", "::1", "fd00::1"])(
    "%s is private",
    (address) => {
      expect(kindOf(address)).toBe("private");
    },
  );

  it.each(["8.8.8.8", "168.63.129.17", "2606:4700:4700::1111", "2a00::1"])("%s is public", (address) => {
    expect(kindOf(address)).toBe("public");
  });

  it.each([
    "",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "::1%lo",
    "[::1]",
    "8.8.8.8 ",
    "8.8.8.8/32",
  ])("%j is no address", (text) => {
    expect(kindOf(text)).toBe("special");
  });
});

describe("M13: the check at the socket", () => {
  it.each(["127.0.0.1", "2130706433", "127.1", "0x7f.1", "::ffff:127.0.0.1", "localhost", "::1%lo", ""])(
    "opens nothing to %j although the guard was not asked before",
    async (address) => {
      const bird = await canary();
      const guard = { permitsNone: false, permits: (each: string) => kindOf(each) === "public" };
      const opened = openSocket(address, bird.port, guard, AbortSignal.timeout(2_000));
      await expect(opened).rejects.toMatchObject({ code: "target_not_allowed" });
      expect(bird.connections()).toBe(0);
    },
  );
});
