import { alarm, ignore, illegal, type StateTable, to, type Verdict } from './state-table.ts';

/**
 * The state of an order of ours, as far as we know. `unknown` is a state, not an error: the request may have reached the
 * exchange. An order counts in exposure until its state is terminal.
 *
 * @example
 * const rests = (state: OrderState): boolean => state === 'live';
 */
export type OrderState =
  /** Approved, no byte sent. */
  | 'prepared'
  /** In the journal; bytes may have left, no answer yet. */
  | 'sending'
  /** The outcome of the request is unclear. Only the exchange's evidence resolves it. */
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

export const ORDER_STATES: readonly OrderState[] = [
  'prepared',
  'sending',
  'unknown',
  'live',
  'closing',
  'closed',
  'refused',
  'absent',
];

export const TERMINAL_STATES: readonly OrderState[] = ['closed', 'refused', 'absent'];

export const isTerminal = (state: OrderState): boolean => TERMINAL_STATES.includes(state);

/** An event in the life of an order. The first three are our own acts; we learn the others from exchange or transport. */
export type OrderEvent =
  /** From now on the create request's bytes may leave. A repeat under the same request_uuid counts, too. */
  | 'send'
  /** Given up before any byte left. */
  | 'withdraw'
  /** A close request goes out. */
  | 'close'
  /** The transport proves that no byte of the create request arrived. */
  | 'not_sent'
  /** The exchange answered the create request with a refusal. */
  | 'refused'
  /** The create request got no answer, or an answer that does not show the outcome. */
  | 'unclear'
  /** The exchange shows the order open: answer, conflict, stream, look-up or listing. */
  | 'seen_open'
  /** The exchange shows the order closed, and every fill of it is booked. */
  | 'seen_closed'
  /** The exchange shows the order open in answer to a request that began well after we learned that it is closed. */
  | 'seen_open_again'
  /**
   * The exchange does not know the order when asked after the last instant at which it could have arrived and lapsed. An
   * order that was shown before then ended without a report.
   */
  | 'proven_absent'
  /** A fill of the order was booked. */
  | 'fill';

export const ORDER_EVENTS: readonly OrderEvent[] = [
  'send',
  'withdraw',
  'close',
  'not_sent',
  'refused',
  'unclear',
  'seen_open',
  'seen_closed',
  'seen_open_again',
  'proven_absent',
  'fill',
];

const SENT_ONCE = illegal('an order is sent once; a repeat is only for an unknown outcome');
const TOO_LATE_TO_WITHDRAW = illegal('bytes have left');
const NO_ORDER_ID = illegal('an order is closed by its id, and the exchange has not reported the id yet');
const REPEAT_SAYS_NOTHING = ignore('the outcome of a repeat does not show the outcome of the first request');
const SEEN_BEFORE = ignore('the exchange has shown the order already');
const FINAL = ignore('a late or reordered entry of an order that has ended');
const STRAY = alarm('the exchange shows an order that it had refused');
const LATE_LANDER = alarm('the exchange shows an order after its absence was proven');
const NOT_CLOSED = illegal('only an order that was closed can be open again');
const OVER = illegal('the order is over');

/** The whole lifecycle: every pair of state and event is listed. */
export const LIFECYCLE: StateTable<OrderState, OrderEvent> = {
  prepared: {
    send: to('sending'),
    withdraw: to('absent'),
    close: NO_ORDER_ID,
    not_sent: to('absent'),
    refused: to('refused'),
    unclear: to('unknown'),
    seen_open: to('live'),
    seen_closed: to('closed'),
    seen_open_again: NOT_CLOSED,
    proven_absent: to('absent'),
    fill: to('live'),
  },
  sending: {
    send: SENT_ONCE,
    withdraw: TOO_LATE_TO_WITHDRAW,
    close: NO_ORDER_ID,
    not_sent: to('absent'),
    refused: to('refused'),
    unclear: to('unknown'),
    seen_open: to('live'),
    seen_closed: to('closed'),
    seen_open_again: NOT_CLOSED,
    proven_absent: illegal('absence is judged after the answer'),
    fill: to('live'),
  },
  unknown: {
    send: ignore('a repeat under the same request_uuid: at most one order can result'),
    withdraw: REPEAT_SAYS_NOTHING,
    close: NO_ORDER_ID,
    not_sent: REPEAT_SAYS_NOTHING,
    refused: REPEAT_SAYS_NOTHING,
    unclear: REPEAT_SAYS_NOTHING,
    seen_open: to('live'),
    seen_closed: to('closed'),
    seen_open_again: NOT_CLOSED,
    proven_absent: to('absent'),
    fill: to('live'),
  },
  live: {
    send: SENT_ONCE,
    withdraw: TOO_LATE_TO_WITHDRAW,
    close: to('closing'),
    not_sent: SEEN_BEFORE,
    refused: SEEN_BEFORE,
    unclear: SEEN_BEFORE,
    seen_open: to('live'),
    seen_closed: to('closed'),
    seen_open_again: NOT_CLOSED,
    proven_absent: to('closed'),
    fill: to('live'),
  },
  closing: {
    send: SENT_ONCE,
    withdraw: TOO_LATE_TO_WITHDRAW,
    close: ignore('a repeat of the close'),
    not_sent: SEEN_BEFORE,
    refused: SEEN_BEFORE,
    unclear: SEEN_BEFORE,
    seen_open: to('closing'),
    seen_closed: to('closed'),
    seen_open_again: NOT_CLOSED,
    proven_absent: to('closed'),
    fill: to('closing'),
  },
  closed: {
    send: OVER,
    withdraw: OVER,
    close: ignore('nothing is left to close'),
    not_sent: FINAL,
    refused: FINAL,
    unclear: FINAL,
    seen_open: FINAL,
    seen_closed: FINAL,
    seen_open_again: to('closing'),
    proven_absent: FINAL,
    fill: to('closed'),
  },
  refused: {
    send: OVER,
    withdraw: OVER,
    close: OVER,
    not_sent: FINAL,
    refused: FINAL,
    unclear: FINAL,
    seen_open: STRAY,
    seen_closed: STRAY,
    seen_open_again: NOT_CLOSED,
    proven_absent: FINAL,
    fill: STRAY,
  },
  absent: {
    send: OVER,
    withdraw: OVER,
    close: OVER,
    not_sent: FINAL,
    refused: FINAL,
    unclear: FINAL,
    seen_open: LATE_LANDER,
    seen_closed: LATE_LANDER,
    seen_open_again: NOT_CLOSED,
    proven_absent: FINAL,
    fill: LATE_LANDER,
  },
};

export const verdictOf = (state: OrderState, event: OrderEvent): Verdict<OrderState> =>
  LIFECYCLE[state][event];
