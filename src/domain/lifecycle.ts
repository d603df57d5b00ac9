/**
 * The states of one of our orders, as we know it. `unknown` is a state, not an error: the request may have reached the
 * exchange. Everything but the terminal states counts in exposure.
 */
export type OrderState =
  /** Journalled, no byte sent. */
  | 'prepared'
  /** Bytes may have left, no answer yet. */
  | 'sending'
  /** The answer did not tell; resolved by the exchange's evidence alone. */
  | 'unknown'
  /** Open on the exchange. */
  | 'live'
  /** Open as far as we know, close requested. */
  | 'closing'
  /** Closed on the exchange, whatever was filled. */
  | 'closed'
  /** The exchange refused to create it. */
  | 'refused'
  /** Proven never to have reached the exchange. */
  | 'absent';

export const TERMINAL_STATES: readonly OrderState[] = ['closed', 'refused', 'absent'];

export const isTerminal = (state: OrderState): boolean => TERMINAL_STATES.includes(state);
