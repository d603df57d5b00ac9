import type { LiveMessage } from '../../../read-model/live/message.ts';

/** What a tab tells the holder of the stream. It repeats `follow`, so that a tab that ended without a word is forgotten. */
export type FromTab =
  | {
      readonly kind: 'follow';
      readonly tab: string;
      /** The token of the tab's session; null if the holder has one of its own. */
      readonly token: string | null;
      /** Keys of the events whose details the tab shows. */
      readonly events: readonly string[];
      /** It needs changes at most so often. */
      readonly everyMs: number;
    }
  | { readonly kind: 'leave'; readonly tab: string };

/** What the holder tells every tab. */
export type FromHolder =
  | { readonly kind: 'message'; readonly message: LiveMessage }
  /** The connection is down; the holder connects again. */
  | { readonly kind: 'lost' }
  /** No tab has a good token. */
  | { readonly kind: 'refused' };

/** A tab says `follow` so often. */
export const FOLLOW_EVERY_MS = 4_000;
/** A tab that was silent for this long is gone. Browsers let a hidden tab's timers run once a minute. */
export const FORGOTTEN_MS = 150_000;
