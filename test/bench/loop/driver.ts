// The work that both loops are given: an instant model that says a little and calls a tool that does nothing.

/** One agent, ready to run. */
export interface Driver {
  /** `perEvent` is called for every event that a listener gets. */
  subscribe(perEvent: () => void): void;
  /** Runs until `turns` answers were given; resolves when it is idle. */
  run(turns: number): Promise<void>;
  /** Messages it keeps. */
  messages(): number;
}

/** Pieces of text in each answer. */
export interface Work {
  readonly deltas: number;
  /** Whether each answer but the last calls the tool; else one answer is all. */
  readonly calls: boolean;
}

export type CreateDriver = (work: Work) => Promise<Driver>;

export const delta = "some words ";
