import { alarm, ignore, illegal, type StateTable, to, type Verdict } from './state-table.ts';

/**
 * How a bet of the account counts, by what the exchange has shown of it.
 *
 * @example
 * const isAtStake = (state: BetState): boolean => state === 'matched' || state === 'doubtful';
 */
export type BetState =
  /** Nothing was shown. */
  | 'unseen'
  /** It arrived before its order is known. It waits for the order, and counts nowhere. */
  | 'parked'
  /** Its match counts: it wins or loses. */
  | 'matched'
  /** The latest report of its order shows it unmatched, and its stake may be matched again: it counts only where it loses. */
  | 'doubtful'
  /** The exchange has voided it: it wins and loses nothing. */
  | 'void'
  /** Its order is settled: the order's result counts in its place. */
  | 'settled'
  /** The same, of a bet that was void when its order was settled. */
  | 'settled_void';

export const BET_STATES: readonly BetState[] = [
  'unseen',
  'parked',
  'matched',
  'doubtful',
  'void',
  'settled',
  'settled_void',
];

export type BetEvent =
  /** It is shown, and its order is not known yet. */
  | 'parked'
  /** It waits no longer: its order is known, or too many orders wait. */
  | 'unparked'
  /** It is shown matched, with its terms, for the first time. Reports of its order may have shown before how it counts. */
  | 'reported'
  /** It is shown again, with the same stake. */
  | 'repeated'
  /** It is shown with another stake than was booked. */
  | 'changed'
  /** A report of its order shows it unmatched. */
  | 'doubted'
  /** A report of its order does not show it unmatched. */
  | 'affirmed'
  /** Its order is closed, and shows it void. */
  | 'voided'
  /** Its order is closed, and shows that it counts. */
  | 'reinstated'
  /** Its order is settled. */
  | 'settled'
  /** The result of its settled order is replaced. */
  | 'corrected'
  /** Its settled order is open again. */
  | 'reopened';

export const BET_EVENTS: readonly BetEvent[] = [
  'parked',
  'unparked',
  'reported',
  'repeated',
  'changed',
  'doubted',
  'affirmed',
  'voided',
  'reinstated',
  'settled',
  'corrected',
  'reopened',
];

const ORDER_SHOWN = ignore('a report of its order has shown how it counts, and the next one shows its terms');
const NOT_PARKED = ignore('it does not wait for its order');
const NOT_BOOKED = illegal('a bet is booked before its stake can be compared');
const ONCE = ignore('each bet counts once, whichever source shows it first');
const FIRST_STAKE = alarm('the exchange shows another stake than before: the first one stays');
const NO_NEWS = ignore('it counts that way already');
const NO_DOUBT = ignore('nothing is in doubt');
const NEEDS_CLOSED = ignore('only the report of a closed order reinstates a voided bet');
const RESULT_COUNTS = ignore('the result of its order counts, whatever a report shows of the bet');
const NOT_SETTLED = ignore('its order was not settled when it was booked');
const NO_RESULT = illegal('a result is reported before it is corrected');

/** The whole life of a bet: every pair of state and event is listed. */
export const BET_LIFECYCLE: StateTable<BetState, BetEvent> = {
  unseen: {
    parked: to('parked'),
    unparked: NOT_PARKED,
    reported: to('matched'),
    repeated: NOT_BOOKED,
    changed: NOT_BOOKED,
    doubted: to('doubtful'),
    affirmed: NO_DOUBT,
    voided: to('void'),
    reinstated: NO_NEWS,
    settled: to('settled'),
    corrected: NO_RESULT,
    reopened: NOT_SETTLED,
  },
  parked: {
    parked: to('parked'),
    unparked: to('unseen'),
    reported: to('matched'),
    repeated: NOT_BOOKED,
    changed: NOT_BOOKED,
    doubted: to('doubtful'),
    affirmed: NO_DOUBT,
    voided: to('void'),
    reinstated: NO_NEWS,
    settled: to('settled'),
    corrected: NO_RESULT,
    reopened: NOT_SETTLED,
  },
  matched: {
    parked: ONCE,
    unparked: NOT_PARKED,
    reported: to('matched'),
    repeated: ONCE,
    changed: FIRST_STAKE,
    doubted: to('doubtful'),
    affirmed: NO_DOUBT,
    voided: to('void'),
    reinstated: NO_NEWS,
    settled: to('settled'),
    corrected: NO_RESULT,
    reopened: NOT_SETTLED,
  },
  doubtful: {
    parked: ORDER_SHOWN,
    unparked: NOT_PARKED,
    reported: to('doubtful'),
    repeated: ONCE,
    changed: FIRST_STAKE,
    doubted: NO_NEWS,
    affirmed: to('matched'),
    voided: to('void'),
    reinstated: to('matched'),
    settled: to('settled'),
    corrected: NO_RESULT,
    reopened: NOT_SETTLED,
  },
  void: {
    parked: ORDER_SHOWN,
    unparked: NOT_PARKED,
    reported: to('void'),
    repeated: ONCE,
    changed: FIRST_STAKE,
    doubted: NO_NEWS,
    affirmed: NEEDS_CLOSED,
    voided: NO_NEWS,
    reinstated: to('matched'),
    settled: to('settled_void'),
    corrected: NO_RESULT,
    reopened: NOT_SETTLED,
  },
  settled: {
    parked: ONCE,
    unparked: NOT_PARKED,
    reported: to('settled'),
    repeated: ONCE,
    changed: FIRST_STAKE,
    doubted: RESULT_COUNTS,
    affirmed: RESULT_COUNTS,
    voided: RESULT_COUNTS,
    reinstated: RESULT_COUNTS,
    settled: NO_NEWS,
    corrected: to('settled'),
    reopened: to('matched'),
  },
  settled_void: {
    parked: ONCE,
    unparked: NOT_PARKED,
    reported: to('settled_void'),
    repeated: ONCE,
    changed: FIRST_STAKE,
    doubted: RESULT_COUNTS,
    affirmed: RESULT_COUNTS,
    voided: RESULT_COUNTS,
    reinstated: RESULT_COUNTS,
    settled: NO_NEWS,
    corrected: to('settled_void'),
    reopened: to('void'),
  },
};

export const betVerdictOf = (state: BetState, event: BetEvent): Verdict<BetState> =>
  BET_LIFECYCLE[state][event];

/** Whether the result of its order counts in place of the bet. */
export const isSettledBet = (state: BetState): boolean => state === 'settled' || state === 'settled_void';

/** Whether the bet itself still wins or loses. */
export const isAtStake = (state: BetState): boolean => state === 'matched' || state === 'doubtful';
