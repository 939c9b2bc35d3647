import { describe, expect, it } from "vitest";
import { KeyedCoalescer } from "./keyed-coalescer.js";

/** Work that ends on demand and counts its runs. */
function gated() {
  const gates: ((failure?: Error) => void)[] = [];
  let running = 0;
  let most = 0;
  const work = () =>
    new Promise<number>((resolve, reject) => {
      running += 1;
      most = Math.max(most, running);
      const run = gates.length;
      gates.push((failure) => {
        running -= 1;
        if (failure) reject(failure);
        else resolve(run);
      });
    });
  const begun = async (count: number) => {
    await new Promise((resolve) => setImmediate(resolve));
    expect(gates).toHaveLength(count);
  };
  return { work, begun, end: (run: number, failure?: Error) => gates[run]?.(failure), most: () => most };
}

describe("a keyed coalescer", () => {
  it("give all who ask during a run the one run after it", async () => {
    const coalescer = new KeyedCoalescer<number>();
    const { work, begun, end, most } = gated();
    const first = coalescer.run("a", work);
    await begun(1);
    const [second, third] = [coalescer.run("a", work), coalescer.run("a", work)];
    await begun(1);
    end(0);
    expect(await first).toBe(0);
    await begun(2);
    const fourth = coalescer.run("a", work);
    end(1);
    expect(await Promise.all([second, third])).toEqual([1, 1]);
    await begun(3);
    end(2);
    expect(await fourth).toBe(2);
    expect(most()).toBe(1);
    const fifth = coalescer.run("a", work);
    await begun(4);
    end(3);
    expect(await fifth).toBe(3);
  });

  it("keep keys apart, and go on after a failure", async () => {
    const coalescer = new KeyedCoalescer<number>();
    const { work, begun, end } = gated();
    const [failing, other] = [coalescer.run("a", work), coalescer.run("b", work)];
    const after = coalescer.run("a", work);
    await begun(2);
    end(0, new Error("once"));
    end(1);
    await expect(failing).rejects.toThrow("once");
    expect(await other).toBe(1);
    await begun(3);
    end(2);
    expect(await after).toBe(2);
  });
});
