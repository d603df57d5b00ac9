import { useRef, useState } from 'preact/hooks';
import { timeOfDay } from '../../lib/formats.ts';

/** An answer to a person is shown for so long, at most: then it is history, and the log has it. */
export const SAID_MS = 60_000;

/** What became of the last thing that a person sent from one place of the page. */
export interface Said {
  /** Empty if nothing was sent, and once the answer is old or no longer true. */
  readonly text: string;
  /** Nobody has answered yet. */
  wait(text: string): void;
  /** The answer has come; empty if what the page shows tells it. */
  answer(text: string): void;
}

interface Kept {
  readonly text: string;
  readonly about: string;
  /** When the answer came, on the daemon's clock; null while it has not come. */
  readonly sinceMs: number | null;
}

const NOTHING: Kept = { text: '', about: '', sinceMs: null };

/**
 * What a place of the page says to a person, with its time. It goes after a minute, and as soon as `about`, which names the state that it speaks of,
 * has changed. `atMs` is the daemon's clock now.
 */
export function useSaid(atMs: number, about: string): Said {
  const [kept, setKept] = useState(NOTHING);
  const now = useRef({ atMs, about });
  now.current = { atMs, about };
  const isOver = kept.about !== about || (kept.sinceMs !== null && atMs - kept.sinceMs >= SAID_MS);
  return {
    text:
      isOver || kept.text === '' ? '' : kept.sinceMs === null ? kept.text : timed(kept.text, kept.sinceMs),
    wait: (text) => setKept({ text, about: now.current.about, sinceMs: null }),
    // It is an answer to what was sent, whatever the page shows by now.
    answer: (text) => setKept((sent) => ({ ...sent, text, sinceMs: now.current.atMs })),
  };
}

/** An answer behind the time (UTC) at which it came. */
export const timed = (text: string, atMs: number): string => `${timeOfDay(atMs)} ${text}`;
