import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { ActiveAlarm } from './guards/alarm.ts';
import { widen } from './guards/widen.ts';
import type { EffectiveState } from './states/trading-states.ts';

/** A quote that must not rest now, and why. */
export interface BlockedQuote {
  readonly intent: QuoteIntent;
  readonly stage: 'state' | 'guard';
  readonly code: string;
  readonly message: string;
}

export interface Admission {
  /** Quotes that may rest, as wanted or widened by guards. */
  readonly quotes: readonly QuoteIntent[];
  readonly blocked: readonly BlockedQuote[];
}

export interface Circumstances {
  readonly state: EffectiveState;
  readonly alarms: readonly ActiveAlarm[];
  /** Whether the quote, once filled, would improve the selection's worst case. */
  readonly reduces: (intent: QuoteIntent) => boolean;
}

/**
 * Decides which of a strategy's quotes may rest, before anything is sent. Blocked quotes count as not wanted, so their resting
 * orders are closed: a halt or a guard closes resting orders and also stops new ones.
 */
export function admit(
  intents: readonly QuoteIntent[],
  circumstancesOf: (intent: QuoteIntent) => Circumstances,
): Admission {
  const quotes: QuoteIntent[] = [];
  const blocked: BlockedQuote[] = [];
  for (const intent of intents) {
    const circumstances = circumstancesOf(intent);
    const block = blockedBy(intent, circumstances);
    if (block === null) quotes.push(widened(intent, circumstances));
    else blocked.push(block);
  }
  return { quotes, blocked };
}

function blockedBy(intent: QuoteIntent, { state, alarms, reduces }: Circumstances): BlockedQuote | null {
  const message = `by ${state.record?.by}: ${state.record?.why}`;
  if (state.state === 'halted') return { intent, stage: 'state', code: 'halted', message };
  if (state.state === 'reducing' && !reduces(intent)) {
    return { intent, stage: 'state', code: 'reducing_only', message };
  }
  const alarm = alarms.find(({ effect }) => effect === 'pull');
  return alarm === undefined ? null : { intent, stage: 'guard', code: alarm.guard, message: alarm.why };
}

function widened(intent: QuoteIntent, { alarms }: Circumstances): QuoteIntent {
  const by = alarms.reduce((most, { widenLogOdds }) => Math.max(most, widenLogOdds), 0);
  return widen(intent, by);
}
