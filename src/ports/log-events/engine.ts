import type { LogEvents } from './event.ts';

/** What the engine, risk, strategies and price sources log. */
export const ENGINE_EVENTS = {
  risk_killed: {
    level: 'warn',
    message: 'risk: killed',
    fields: ['by', 'reason', 'atMs'],
    meaning: 'Everything is stopped and closed, over restarts, until a person resumes.',
  },
  risk_kill_explained: {
    level: 'warn',
    message: 'risk: kill_explained',
    fields: ['by', 'reason', 'atMs'],
    meaning: 'A person gave the reason of a kill after it took effect.',
  },
  risk_resumed: {
    level: 'warn',
    message: 'risk: resumed',
    fields: ['by', 'reason', 'atMs'],
    meaning: 'A person released the kill and every latch.',
  },
  risk_state: {
    level: 'warn',
    message: 'risk: state',
    fields: ['scope', 'state', 'by', 'why', 'atMs', 'latched', 'untilMs'],
    meaning: 'A person or a limit changed the trading state of `scope`, or its time was up.',
  },
  adjustment_over: {
    level: 'info',
    message: 'an adjustment of an event is over',
    fields: ['event', 'what', 'by', 'why'],
    meaning:
      'The time of what a person wanted of the event is up, or the event is over: it is quoted as its strategy wants.',
  },
  convention_proven: {
    level: 'info',
    message: 'the stream proves what against prices are',
    fields: ['convention', 'odds', 'lay'],
    meaning: 'Prices of `against` markets are of this convention, with this many votes for each reading.',
  },
  convention_contradicted: {
    level: 'error',
    message: 'the stream contradicts what against prices are taken for',
    fields: ['shown', 'known', 'odds', 'lay'],
    meaning:
      'Nothing is quoted until a restart: a person must see what the exchange does, and correct `exchange.againstPrices`.',
  },
  first_fill_confirmed: {
    level: 'info',
    message: 'the exchange confirms what a bet pays',
    fields: ['priceKind', 'how'],
    meaning: 'The first fill at such a price pays what was expected. Nothing waits for it any more.',
  },
  guard_in_force: {
    level: 'warn',
    message: 'guard in force',
    fields: ['guard', 'scope', 'effect', 'why', 'actual', 'limit'],
    meaning: 'A guard pulls or widens the quotes of `scope`.',
  },
  guard_over: {
    level: 'info',
    message: 'guard over',
    fields: ['guard', 'scope', 'effect', 'why', 'actual', 'limit'],
    meaning: 'The quotes of `scope` come back.',
  },
  still_killed: {
    level: 'error',
    message: 'still killed since an earlier run; only a person resumes',
    fields: ['by', 'reason', 'atMs'],
    meaning: 'The start found a kill. `touchline resume --reason "…"` releases it.',
  },
  permit_not_renewed: {
    level: 'error',
    message: 'the permit to trade cannot be written again: the kill stays',
    fields: ['error'],
    meaning: 'Repair the disk, then resume again.',
  },
  permit_not_created: {
    level: 'error',
    message: 'the permit to trade cannot be created beside the journal: this run starts killed',
    fields: ['error'],
    meaning: 'Make the folder of the journal writable, then resume.',
  },
  permit_keeps_reason: {
    level: 'warn',
    message: 'the permit keeps the first reason of the kill',
    fields: ['error'],
    meaning: 'The kill holds; only its new reason is not in the permit.',
  },
  kill_latched_nowhere: {
    level: 'error',
    message: 'the kill is latched nowhere: a restart would trade',
    fields: ['by', 'reason', 'atMs'],
    meaning: 'See that nothing starts the daemon before the disk is repaired.',
  },
  kill_latched_outside: {
    level: 'warn',
    message: 'the kill is latched outside the journal',
    fields: ['place'],
    meaning: 'The journal did not take the kill. It holds over a restart all the same.',
  },
  kill_not_latched: {
    level: 'error',
    message: 'the kill could not be latched in the {place}',
    fields: ['error'],
    meaning: 'Another place is tried.',
  },
  risk_state_unread: {
    level: 'error',
    message: 'the risk state of earlier runs cannot be read: nothing is placed',
    fields: ['error'],
    meaning: 'The journal is damaged. Restore a backup, or start with a new journal.',
  },
  risk_not_journalled: {
    level: 'error',
    message: 'risk could not be written to the journal',
    fields: ['error'],
    meaning: 'The journal failed. Orders are only closed.',
  },
  position_differs: {
    level: 'error',
    message: 'the exchange reports another position than ours',
    fields: ['sport', 'eventId', 'times', 'gridMicros', 'stakes'],
    meaning:
      'Compare `touchline exchange position --sport CODE --event EVENT` with the exchange. Lines become rarer while the difference lasts.',
  },
  account_unread: {
    level: 'warn',
    message: 'the {subject} could not be read',
    fields: ['error'],
    meaning: 'The balance or a position is read again soon.',
  },
  no_payoff_grid: {
    level: 'info',
    message: 'no payoff grid for a bet type',
    fields: ['sport', 'betType', 'hopeless', 'error'],
    meaning: 'Bets of this type count with their whole stake.',
  },
  quiet_offers_unread: {
    level: 'debug',
    message: 'offers of quiet events could not be read',
    fields: ['sport', 'eventIds', 'error'],
    meaning: 'They are read again soon.',
  },
  events_unread: {
    level: 'debug',
    message: 'the list of events could not be read',
    fields: ['error'],
    meaning: 'It is read again soon.',
  },
  strategy_fault: {
    level: 'warn',
    message: 'strategy fault',
    fields: ['kind', 'strategy', 'sport', 'eventId', 'selectionId', 'message', 'error', 'intent', 'rule'],
    meaning:
      'A strategy threw or broke a rule. `intent` and `rule` name an intent that was refused. One line a minute for each kind, rule, strategy and event.',
  },
  strategy_line: {
    level: 'info',
    message: '{text}',
    fields: ['strategy', 'sport', 'eventId'],
    meaning: 'A strategy wrote this message, at most a hundred a minute.',
  },
  price_source_line: {
    level: 'info',
    message: '{text}',
    fields: ['priceSource'],
    meaning: 'A price source wrote this message, with fields of its own, at most a hundred a minute.',
  },
  price_source_fault: {
    level: 'warn',
    message: 'price source {name}: {fault}',
    fields: ['priceSource', 'kind', 'retryS'],
    meaning: 'A price source failed, ended or sent something unusable.',
  },
  price_source_keys: {
    level: 'info',
    message: 'price source {name}: some keys fit no quoted selection, or several',
    fields: ['priceSource', 'unmapped', 'unmappedKeys', 'ambiguousKeys', 'missingKeys', 'dropped'],
    meaning: 'Correct the mapping of the source if a named key should have been used.',
  },
  stream_synced: {
    level: 'info',
    message: 'stream synced',
    fields: ['epoch'],
    meaning: 'The connection number `epoch` is complete, and quoting goes on.',
  },
  stream_closed: {
    level: 'warn',
    message: 'stream closed',
    fields: ['epoch', 'reason', 'retryInMs'],
    meaning: 'Prices are unusable until the next connection has synced.',
  },
} as const satisfies LogEvents;
