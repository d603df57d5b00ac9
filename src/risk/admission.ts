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
  /** Our own quotes on the event give way to an order that reduces: to this one, or to another. Null: to none. */
  readonly givesWay: 'to this' | 'to another' | null;
}

/** What would be at stake if only the quotes that are let through rested. */
export interface Targets {
  /** Whether the quote reduces risk beside those let through so far. */
  reduces(quote: QuoteIntent): boolean;
  letThrough(quote: QuoteIntent): void;
}

/** A quote as it may rest, or why it must not. */
type Verdict =
  | { readonly quote: QuoteIntent; readonly block: null }
  | { readonly quote: null; readonly block: BlockedQuote };

/**
 * Decides which of a strategy's quotes may rest, before anything is sent. Blocked quotes count as not wanted, so their resting
 * orders are closed: a halt or a guard closes resting orders and also stops new ones.
 *
 * Where only reducing is allowed, the quotes are judged together: each must reduce beside those let through before it.
 */
export function admit(
  intents: readonly QuoteIntent[],
  circumstancesOf: (intent: QuoteIntent) => Circumstances,
  createTargets: () => Targets,
): Admission {
  const cases = intents.map((intent, at) => ({ at, intent, circumstances: circumstancesOf(intent) }));
  const isLimited = cases.some(({ circumstances }) => isReducingOnly(circumstances));
  const targets = isLimited ? createTargets() : null;
  const verdicts: Verdict[] = [];
  for (const { at, intent, circumstances } of cases.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    const verdict = verdictOn(intent, circumstances, targets);
    verdicts[at] = verdict;
    if (verdict.quote !== null) targets?.letThrough(verdict.quote);
  }
  return {
    quotes: verdicts.map(({ quote }) => quote).filter((quote) => quote !== null),
    blocked: verdicts.map(({ block }) => block).filter((block) => block !== null),
  };
}

const isReducingOnly = ({ state, givesWay }: Circumstances): boolean =>
  state.state === 'reducing' || givesWay !== null;

/** Quotes without a condition come first, because they rest anyhow; then those to which others give way. */
function turnOf({ circumstances }: { readonly circumstances: Circumstances }): number {
  if (!isReducingOnly(circumstances)) return 0;
  return circumstances.givesWay === 'to this' ? 1 : 2;
}

function verdictOn(intent: QuoteIntent, circumstances: Circumstances, targets: Targets | null): Verdict {
  const { state, alarms } = circumstances;
  const by = `by ${state.record?.by}: ${state.record?.why}`;
  const blocked = (stage: BlockedQuote['stage'], code: string, message: string): Verdict => ({
    quote: null,
    block: { intent, stage, code, message },
  });
  if (state.state === 'halted') return blocked('state', 'halted', by);
  const quote = widened(intent, circumstances);
  if (isReducingOnly(circumstances) && targets?.reduces(quote) !== true) {
    if (state.state === 'reducing') return blocked('state', 'reducing_only', by);
    return blocked('state', 'gives_way', 'an order that reduces risk on the event goes first');
  }
  const alarm = alarms.find(({ effect }) => effect === 'pull');
  return alarm === undefined ? { quote, block: null } : blocked('guard', alarm.guard, alarm.why);
}

function widened(intent: QuoteIntent, { alarms }: Circumstances): QuoteIntent {
  const by = alarms.reduce((most, { widenLogOdds }) => Math.max(most, widenLogOdds), 0);
  return widen(intent, by);
}
