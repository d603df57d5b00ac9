import type { LogEvents } from './event.ts';

const ORDER_FIELDS = [
  'requestUuid',
  'orderId',
  'selectionId',
  'direction',
  'price',
  'stakeMicros',
  'filledMicros',
  'closeReason',
] as const;

/** What becomes of orders, and what the order manager logs. */
export const ORDER_EVENTS = {
  account_not_compared: {
    level: 'warn',
    message: 'the account cannot be compared with the one of the journal',
    fields: ['known'],
    meaning:
      'The exchange shows none of the `known` orders, and all are old enough to be forgotten. Trading begins: check that the key is of the journal’s account.',
  },
  account_accepted: {
    level: 'warn',
    message: 'another account is accepted for this journal',
    fields: ['why'],
    meaning:
      '`--accept-account` was given, and the key opens another account. The balance is reconciled from now on; all else in the journal goes on counting.',
  },
  order_prepared: {
    level: 'debug',
    message: 'order prepared',
    fields: ORDER_FIELDS,
    meaning: 'The journal holds the order; nothing was sent.',
  },
  order_sending: {
    level: 'debug',
    message: 'order sending',
    fields: ORDER_FIELDS,
    meaning: 'The create request is on its way.',
  },
  order_live: {
    level: 'info',
    message: 'order live',
    fields: ORDER_FIELDS,
    meaning: 'The exchange shows the order open.',
  },
  order_closing: {
    level: 'info',
    message: 'order closing',
    fields: ORDER_FIELDS,
    meaning: 'The order is open, and its close was asked for.',
  },
  order_closed: {
    level: 'info',
    message: 'order closed',
    fields: ORDER_FIELDS,
    meaning:
      'The exchange shows the order over: filled, cancelled or lapsed (`filledMicros`, `closeReason`).',
  },
  order_unknown: {
    level: 'info',
    message: 'order unknown',
    fields: ORDER_FIELDS,
    meaning:
      'The create request has no answer, so the order may be open. It counts in full; look-ups follow.',
  },
  order_refused: {
    level: 'info',
    message: 'order refused',
    fields: ORDER_FIELDS,
    meaning: 'The exchange refused the order.',
  },
  order_absent: {
    level: 'info',
    message: 'order absent',
    fields: ORDER_FIELDS,
    meaning: 'The order was never sent, or it is proven that the exchange does not have it.',
  },
  open_orders_unread: {
    level: 'debug',
    message: 'open orders could not be listed',
    fields: ['error'],
    meaning:
      'An order ended before its time, and the list that may contradict its end could not be read. It is read again.',
  },
  unrecorded_lookup_failed: {
    level: 'debug',
    message: 'an order that the journal does not record could not be looked up',
    fields: ['orderId', 'error'],
    meaning: 'The look-up of an order of others failed once. It is repeated.',
  },
  unrecorded_lookup_given_up: {
    level: 'warn',
    message: 'an order that the journal does not record could not be looked up',
    fields: ['orderId', 'error'],
    meaning: 'What the order is for stays unknown. It counts for risk as reported.',
  },
  fill: {
    level: 'info',
    message: 'fill',
    fields: ['betId', 'orderId', 'strategy', 'selectionId', 'direction', 'price', 'stakeMicros', 'role'],
    meaning: 'A bet of an own order was matched. `role` tells whether the order rested (maker) or took.',
  },
  unintended_take: {
    level: 'warn',
    message: 'an order that was meant to rest has filled as a taker',
    fields: ['orderId', 'price'],
    meaning: 'The market moved while the order was on its way. Its quote pauses.',
  },
  missed_wake: {
    level: 'warn',
    message: 'a blocked quote could be placed and nothing woke it',
    fields: ['quote', 'code'],
    meaning:
      'The program has a mistake: the reason does not name what ends its wait. The quote is judged again now.',
  },
  create_not_repeated: {
    level: 'debug',
    message: 'create request is not repeated',
    fields: ['uuid', 'error'],
    meaning: 'The repeat of an order with an unknown outcome never left. Look-ups continue.',
  },
  create_failed: {
    level: 'warn',
    message: 'create request failed',
    fields: ['uuid', 'outcome', 'repeat', 'error'],
    meaning: 'An order was refused, was not sent, or has an unknown outcome (`outcome`).',
  },
  conflict_unread: {
    level: 'warn',
    message: 'conflicting order could not be read',
    fields: ['orderId', 'error'],
    meaning: 'The exchange holds an order with our `request_uuid` and did not show it. Look-ups continue.',
  },
  order_contradicted: {
    level: 'error',
    message: 'the exchange contradicts what it reported of an order',
    fields: ['reason', 'uuid', 'evidence', 'source'],
    meaning: 'The order ignores the report. Compare it with the exchange (`reason`, `evidence`).',
  },
  bets_not_reported: {
    level: 'error',
    message: 'the exchange does not report all bets of an order',
    fields: ['orderId'],
    meaning: 'Look-ups go on. Compare the order with the exchange.',
  },
  order_forgotten: {
    level: 'error',
    message: 'the exchange no longer knows an order that it had shown',
    fields: ['orderId'],
    meaning: 'The order counts as over. Ask the exchange what became of it.',
  },
  order_does_not_exist: {
    level: 'error',
    message: 'an order that is to be closed does not exist',
    fields: ['orderId', 'lookups', 'overMs'],
    meaning:
      'During a stop, look-ups over some seconds and the list of open orders do not know an order that the exchange had accepted. It counts as over. Ask the exchange what became of it.',
  },
  order_open_again: {
    level: 'error',
    message: 'an order that was reported closed is open',
    fields: ['orderId', 'source'],
    meaning:
      'The exchange shows it open in answer to a request that began well after. The order counts again and is closed; meanwhile nothing is placed on its market.',
  },
  foreign_order: {
    level: 'warn',
    message: 'an order that is not ours',
    fields: ['orderId', 'betType', 'source'],
    meaning: 'Somebody else uses the account. The order counts for risk and is left alone.',
  },
  unrecorded_order: {
    level: 'warn',
    message: 'an order with our mark that the journal does not record',
    fields: ['orderId', 'betType', 'source'],
    meaning: 'Another installation or a copy placed it, or the journal is damaged.',
  },
  order_close_failed: {
    level: 'warn',
    message: 'close failed',
    fields: ['orderId', 'failures', 'error'],
    meaning: 'The order may still be open. The close is repeated until the exchange confirms it.',
  },
  close_asked: {
    level: 'debug',
    message: 'closing',
    fields: ['uuid', 'reason'],
    meaning: 'An order is closed for this reason.',
  },
  untracked_order_open: {
    level: 'warn',
    message: 'an untracked order could not be closed',
    fields: ['orderId', 'error'],
    meaning: 'An order that the exchange had refused is open. Its close is repeated.',
  },
  closed_by_others: {
    level: 'warn',
    message: 'an order was closed without our asking',
    fields: ['orderId'],
    meaning: 'Nothing is placed until the exchange confirms our heartbeat.',
  },
  earlier_orders_ended: {
    level: 'info',
    message: 'orders of an earlier run were closed before this run began',
    fields: ['orders'],
    meaning:
      'The earlier run ended without closing so many. Its heartbeat expired, or, on paper, they ended with its process. No stranger was on the account.',
  },
  close_out_over: {
    level: 'info',
    message: 'the close-out is over; quotes that nothing else stops come back slowly',
    fields: [],
    meaning: 'The account was read again after a lost heartbeat, and a new one is armed.',
  },
  lookup_empty: {
    level: 'debug',
    message: 'look-up without an order',
    fields: ['uuid', 'result', 'error'],
    meaning: 'A look-up of an order with an unknown outcome found nothing yet.',
  },
  closing_all: {
    level: 'info',
    message: 'closing all orders',
    fields: ['reason'],
    meaning: 'A person asked for it. What is still wanted is quoted again.',
  },
  quoting_stops: {
    level: 'info',
    message: 'quoting stops',
    fields: ['reason'],
    meaning: 'No more orders are placed, and own orders are closed.',
  },
  quoting_latched: {
    level: 'error',
    message: 'quoting stopped until released by a person',
    fields: ['reason', 'uuid', 'orderId', 'source', 'wantPrice', 'wantStakeMicros', 'askedS', 'livesMs'],
    meaning:
      'Exchange and journal contradict each other, the key may not place, or attempts come to nothing. A person resumes.',
  },
  attempt_fruitless: {
    level: 'warn',
    message: 'what the exchange had accepted came to nothing',
    fields: ['kind', 'market', 'reason', 'pauseMs'],
    meaning:
      'An order or betslip ended at once, bets were voided, a heartbeat was gone too early, or a close had no effect. The next attempt waits.',
  },
  attempts_fruitless: {
    level: 'error',
    message: 'what the exchange accepts comes to nothing, again and again',
    fields: ['kind', 'market', 'rounds'],
    meaning:
      'The attempts go on after longer pauses. If nothing changes, quoting is latched. Ask the exchange.',
  },
  resync: {
    level: 'info',
    message: 'resync',
    fields: ['reason'],
    meaning: 'The account is read again. Nothing is placed until it is done.',
  },
  resync_failed: {
    level: 'warn',
    message: 'resync failed',
    fields: ['error'],
    meaning: 'The account could not be read. The read is repeated.',
  },
  updates_unread: {
    level: 'warn',
    message: 'updates could not be read',
    fields: ['error'],
    meaning: 'The updates of orders are read again soon.',
  },
  orders_unfiltered: {
    level: 'warn',
    message: 'orders cannot be listed by the time of their placement: all filled ones are read',
    fields: ['error'],
    meaning: 'The exchange refused a filter. The start takes longer.',
  },
  bets_before_journal: {
    level: 'warn',
    message: 'bets from before the journal are at stake',
    fields: ['orders', 'withOurMark', 'stakeMicros'],
    meaning: 'The account holds bets that the journal does not record. They count for risk.',
  },
  invariant_broken: {
    level: 'error',
    message: 'an invariant is broken',
    fields: ['error'],
    meaning: 'A bug. Orders are closed, and the process ends.',
  },
  journal_failed: {
    level: 'error',
    message: 'the journal cannot be written: closing only',
    fields: ['error'],
    meaning: 'Nothing is placed until a restart with a working disk.',
  },
  journal_whole: {
    level: 'info',
    message: 'the journal is whole',
    fields: ['records'],
    meaning: 'The check of the whole journal found no damage.',
  },
  journal_damaged: {
    level: 'error',
    message: 'the journal is damaged where recovery did not read',
    fields: ['error'],
    meaning: 'Restore a backup, or start with a new journal.',
  },
  records_deleted: {
    level: 'info',
    message: 'old journal records were deleted',
    fields: ['records'],
    meaning: 'Records older than `journal.retentionDays` are gone.',
  },
  heartbeat_lost: {
    level: 'error',
    message: 'heartbeat lost',
    fields: ['reason'],
    meaning: 'The exchange closes our orders. Nothing is placed until a new heartbeat is proven.',
  },
  heartbeats_unlisted: {
    level: 'warn',
    message: 'heartbeats could not be listed',
    fields: ['error'],
    meaning: 'The list is read again soon.',
  },
  heartbeat_duplicate: {
    level: 'warn',
    message: 'another process made a heartbeat at the same time: ours is deleted',
    fields: ['id'],
    meaning: 'Two installations started together. One of them steps back.',
  },
  heartbeat_not_created: {
    level: 'warn',
    message: 'heartbeat could not be created',
    fields: ['error'],
    meaning: 'Nothing is placed without a heartbeat. The request is repeated.',
  },
  heartbeat_not_refreshed: {
    level: 'warn',
    message: 'heartbeat could not be refreshed',
    fields: ['error', 'remainingMs'],
    meaning: 'The refresh is repeated. After `remainingMs` the heartbeat is lost.',
  },
  heartbeat_unanswered_deleted: {
    level: 'warn',
    message: 'a heartbeat whose create request had no answer is deleted',
    fields: ['heartbeatId'],
    meaning: 'It would have closed our orders when it ran out.',
  },
  old_heartbeat_left: {
    level: 'warn',
    message: 'an old heartbeat could not be deleted',
    fields: ['id', 'error'],
    meaning: 'The delete is repeated.',
  },
  engine_hangs: {
    level: 'error',
    message: 'the engine makes no progress: its orders are closed',
    fields: [],
    meaning: 'The process is busy or blocked. The heartbeat is left to expire.',
  },
  key_refused: {
    level: 'error',
    message: 'the exchange refuses the key: orders are closed, and the heartbeat is left to expire',
    fields: ['error'],
    meaning:
      'Only closes leave, one request a second. Give the daemon a key that the exchange accepts, or resume.',
  },
  kill_unfinished: {
    level: 'error',
    message: 'a kill has not closed everything: the heartbeat is left to expire',
    fields: [],
    meaning: 'The exchange closes what our closes did not.',
  },
  other_process_gone: {
    level: 'info',
    message: 'no other process uses the account',
    fields: [],
    meaning: 'The account is free, and this process reads it again.',
  },
  other_process: {
    level: 'error',
    message: 'another process uses the account: nothing is placed until it is gone',
    fields: ['seen'],
    meaning: 'Stop one of the two installations.',
  },
  betslip_not_created: {
    level: 'warn',
    message: 'betslip could not be created',
    fields: ['betType', 'error'],
    meaning: 'The selection is not quoted until a later attempt succeeds.',
  },
} as const satisfies LogEvents;
