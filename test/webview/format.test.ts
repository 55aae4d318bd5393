// Numbers as the panel writes them.
import assert from "node:assert/strict";
import { formatCost, formatDuration, formatTokens } from "../../webview/format.ts";

describe("the panel's numbers", () => {
  it("shortens token counts", () => {
    const counts = [0, 950, 1200, 2000, 9_960, 31_400, 200_000, 999_600, 1_500_000];
    assert.deepEqual(counts.map(formatTokens), [
      "0",
      "950",
      "1.2k",
      "2k",
      "10k",
      "31k",
      "200k",
      "1M",
      "1.5M",
    ]);
  });

  it("writes durations in the units people use", () => {
    const times = [340, 1240, 9_960, 38_000, 120_000, 125_000, 11_400_000];
    assert.deepEqual(times.map(formatDuration), [
      "340 ms",
      "1.2 s",
      "10 s",
      "38 s",
      "2 min",
      "2 min 5 s",
      "3 h 10 min",
    ]);
  });

  it("rounds money to what is worth reading, and never a cost to nothing", () => {
    assert.deepEqual([0, 0.004, 0.137, 12].map(formatCost), ["$0.00", "<$0.01", "$0.14", "$12.00"]);
  });
});
