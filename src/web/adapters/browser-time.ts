/** The browser's clock and timers. */
export interface BrowserTime {
  /** Milliseconds on a clock that never jumps. */
  nowMs(): number;
  /** Calls back once. Returns a function that prevents it. */
  after(ms: number, work: () => void): () => void;
}

export const browserTime: BrowserTime = {
  nowMs: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** A name for this tab. */
export const tabName = (): string => crypto.randomUUID();
