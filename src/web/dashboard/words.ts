import type { LiveQuote, LiveQuoting, LiveRun } from '../../read-model/live/message.ts';
import type { LimitUse } from '../../read-model/status.ts';
import { thereToo, usdt } from './numbers.ts';
import { isStale, type Shown } from './stream/view.ts';

/** How things stand, in one sentence. */
export interface Sentence {
  readonly text: string;
  /** `bad`: a person should act. `warn`: a person should know. */
  readonly tone: 'good' | 'warn' | 'bad';
}

const MODE_WORDS: Readonly<Record<string, string>> = { live: 'LIVE', simulated: 'SIMULATED', paper: 'PAPER' };

/** The name of a mode, in capitals. */
export const modeInWords = (mode: string): string => MODE_WORDS[mode] ?? mode.toUpperCase();

/** A length of time, in its largest unit. */
export function lengthInWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** Everything about an order of ours, with its exact price. */
export function ownInWords(quote: LiveQuote, atMs: number): string {
  const { unfilled, stake, price, exchange, ahead, isConfirmed, sinceMs } = quote;
  const exact = exchange === undefined ? '' : ` at exactly ${Number(price.toFixed(6))}${thereToo(exchange)}`;
  const first = ahead === null ? 'an unknown stake' : usdt(ahead);
  return `${usdt(unfilled)} of ${usdt(stake)} unfilled${exact}; at most ${first} of others comes first; ${isConfirmed ? 'open' : 'not confirmed'} for ${lengthInWords(atMs - sinceMs)}`;
}

const REASONS: Readonly<Record<string, string>> = {
  'market.no_prices': 'no fresh prices',
  'strategy.no_quote': 'the strategy wants none',
  'strategy.invalid_intent': 'the strategy’s intent was refused',
  'strategy.self_cross': 'the strategy’s two sides would match each other',
  'strategy.completed': 'the strategy’s stream has ended',
  'strategy.too_many_intents': 'the strategy wants too many quotes',
  'state.halted': 'trading is paused',
  'state.killed': 'trading is killed',
  betslip_cap: 'all betslips are in use',
  betslip_budget: 'betslips used up',
  betslip_pace: 'betslips are spread over the day',
  betslip_turn: 'other markets come first',
  convention_unproven: 'not yet known what the exchange’s prices mean',
  'market.no_tick': 'the exchange has no tick near enough',
};

/** A reason code for people. The code itself stays readable: a person may look it up. */
export const reasonInWords = (code: string): string =>
  REASONS[code] ?? REASONS[code.split(/[.:]/)[0] ?? ''] ?? code.replace(/^[a-z]+\./, '').replaceAll('_', ' ');

/** A limit at this share of its value is named. */
const NEAR_LIMIT = 0.8;

const UNKNOWN_MS = 60_000;

/** How the daemon stands now. The worst comes first; the first problem decides. */
export function sentenceOf(shown: Shown): Sentence {
  const { run, quoting, ageMs } = shown;
  if (isStale(shown))
    return { text: `NO CONTACT for ${lengthInWords(ageMs)}: what you see is old`, tone: 'bad' };
  const stopped = stoppedOf(run);
  if (stopped !== null) return stopped;
  const since = quoting.notQuotingSinceMs;
  if (since !== null) return notQuotingFor(shown.atMs - since, quoting.missing);
  const problems = problemsOf(shown);
  const what = quoting.wanted === 0 ? 'nothing to quote' : `quoting ${quoting.quoted} of ${quoting.wanted}`;
  return {
    text: `${modeInWords(run.mode)} · ${what} · ${problems.length === 0 ? 'nothing wrong' : problems.join('; ')}`,
    tone: problems.length === 0 ? 'good' : 'warn',
  };
}

/** Why nothing can be quoted at all; null if something can. */
function stoppedOf({ trading, stopping, state, blocked, mode }: LiveRun): Sentence | null {
  const { by, why } = trading;
  if (trading.state === 'killed') return { text: `KILLED by ${by}: ${why}`, tone: 'bad' };
  if (stopping !== null) return { text: `STOPPING: ${stopping}`, tone: 'warn' };
  if (state === 'starting') return { text: `${modeInWords(mode)} · starting`, tone: 'warn' };
  if (blocked !== null) return { text: `NOT TRADING: ${blocked}`, tone: 'bad' };
  if (trading.state === 'halted') return { text: `PAUSED by ${by}: ${why}`, tone: 'warn' };
  return null;
}

function notQuotingFor(ms: number, missing: LiveQuoting['missing']): Sentence {
  const why = commonestOf(missing);
  return {
    text: `NOT QUOTING for ${lengthInWords(ms)}${why === null ? '' : `: ${reasonInWords(why)}`}`,
    tone: ms > UNKNOWN_MS ? 'bad' : 'warn',
  };
}

/** What a person should know, the worst first. */
export function problemsOf({ run, quoting, money, atMs }: Shown): readonly string[] {
  const { trading, stream, strategiesOff } = run;
  const unknownMs = quoting.unknownSinceMs === null ? 0 : atMs - quoting.unknownSinceMs;
  const residual = money.reconciliation?.residual ?? 0;
  return [
    ...(stream === 'synced' ? [] : [`the stream is ${stream}`]),
    ...(unknownMs > UNKNOWN_MS ? [`an order is unknown for ${lengthInWords(unknownMs)}`] : []),
    ...(trading.state === 'reducing' ? [`only reducing: ${trading.why}`] : []),
    ...strategiesOff.map(({ strategy, why }) => `${strategy} is off: ${why}`),
    ...money.limits.filter(isNear).map(limitUseInWords),
    ...(Math.abs(residual) > CENT ? [`the balance differs by ${usdt(residual)}`] : []),
  ];
}

const isNear = ({ use, limit }: LimitUse): boolean => limit > 0 && use >= NEAR_LIMIT * limit;

const limitUseInWords = ({ name, use, limit, unit }: LimitUse): string =>
  `${limitInWords(name)} at ${unit === 'usdt' ? `${usdt(use)} of ${usdt(limit)}` : `${use} of ${limit}`}`;

/** Rounding may explain less. */
const CENT = 0.01;

/** A limit's name in the configuration, for people: `worstCase.accountUsdt` is `account worst case`. */
export const limitInWords = (name: string): string =>
  name
    .split('.')
    .reverse()
    .map((word) =>
      word
        .replace(/Usdt$/, '')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
    .join(' ');

function commonestOf(counts: Readonly<Record<string, number>>): string | null {
  const [first] = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}
