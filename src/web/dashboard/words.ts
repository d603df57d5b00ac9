import { age, exactOdds, factor, PAGE, timeOfDay } from '../../lib/formats.ts';
import { DIRECTIONS } from '../../domain/selection.ts';
import { onExchange } from '../../read-model/bet-terms.ts';
import type {
  LiveAdjustment,
  LiveQuote,
  LiveQuoting,
  LiveRestriction,
  LiveRun,
  LiveSelection,
  LiveTrading,
} from '../../read-model/live/message.ts';
import { shortageInWords } from '../../read-model/readiness.ts';
import { reasonInWords, reasonWithDetail } from '../../read-model/reason-words.ts';
import type { LimitUse } from '../../read-model/status.ts';
import { eventsOf, isStale, selectionsOf, type Shown } from './stream/view.ts';

/** How things stand, in one sentence. */
export interface Sentence {
  readonly text: string;
  /** `bad`: a person should act. `warn`: a person should know. */
  readonly tone: 'good' | 'warn' | 'bad';
}

/** The name of a mode, in capitals. */
export const modeInWords = (mode: string): string => mode.toUpperCase();

/** Everything about an order of ours, with its exact price. */
export function ownInWords(quote: LiveQuote, atMs: number): string {
  const { unfilled, stake, price, exchange, ahead, isConfirmed, sinceMs } = quote;
  const exact = exchange === undefined ? '' : ` at exactly ${exactOdds(price)}${onExchange(exchange, PAGE)}`;
  const first = ahead === null ? 'an unknown stake' : PAGE.money(ahead);
  return `${PAGE.money(unfilled)} of ${PAGE.money(stake)} unfilled${exact}; at most ${first} of others comes first; ${isConfirmed ? 'open' : 'not confirmed'} for ${age(atMs - sinceMs)}`;
}

/** A limit at this share of its value is named. */
const NEAR_LIMIT = 0.8;

const UNKNOWN_MS = 60_000;

/** How the daemon stands now. The worst comes first; the first problem decides. */
export function sentenceOf(shown: Shown): Sentence {
  const { run, quoting, ageMs } = shown;
  if (isStale(shown)) return { text: `NO CONTACT for ${age(ageMs)}: what you see is old`, tone: 'bad' };
  const stopped = stoppedOf(run);
  if (stopped !== null) return stopped;
  const since = quoting.notQuotingSinceMs;
  if (since !== null) return notQuotingFor(shown.atMs - since, quoting);
  const problems = problemsOf(shown);
  const words = [
    modeInWords(run.mode),
    quotedInWords(quoting),
    ...(problems.length === 0 ? [] : [problems.join('; ')]),
  ];
  if (problems.length > 0 || quoting.readiness.isShort) return { text: words.join(' · '), tone: 'warn' };
  return { text: [...words, 'nothing wrong'].join(' · '), tone: 'good' };
}

/** How much of what is wanted is quoted. If too little is, also what the others wait for. */
function quotedInWords({ readiness, betslipCap }: LiveQuoting): string {
  const { wanted, quoted, isShort } = readiness;
  if (wanted === 0) return 'nothing to quote';
  return isShort ? shortageInWords(readiness, betslipCap.carries) : `quoting ${quoted} of ${wanted}`;
}

/** Why nothing can be quoted at all; null if something can. */
function stoppedOf({ trading, stopping, state, blocked, mode }: LiveRun): Sentence | null {
  const { by, why } = trading;
  if (trading.state === 'killed') return { text: `KILLED: ${why}, by ${by}`, tone: 'bad' };
  if (stopping !== null) return { text: `STOPPING: ${stopping}`, tone: 'warn' };
  if (state === 'starting') return { text: `${modeInWords(mode)} · starting`, tone: 'warn' };
  if (blocked !== null) return { text: `NOT TRADING: ${reasonWithDetail(blocked)}`, tone: 'bad' };
  if (trading.state === 'halted') return { text: `PAUSED: ${why}, by ${by}`, tone: 'warn' };
  return null;
}

/** Why a part of the account trades less than the rest. Who said so comes last: that part may be cut. */
export const restrictionInWords = ({ state, by, why, untilMs }: LiveRestriction, atMs: number): string =>
  `${state === 'halted' ? 'HALTED' : 'REDUCING ONLY'}: ${why}${untilInWords(untilMs, atMs)}, by ${by}`;

const ADJUSTED: Readonly<Record<LiveAdjustment['what'], (amount: number) => string>> = {
  leave: () => 'LEFT AS IT IS',
  stake: (amount) => `STAKE × ${factor(amount)}`,
  widen: (amount) => `WIDER BY ${amount} TICK${amount === 1 ? '' : 'S'}`,
};

/** What a person wants of an event, why if that is asked for, and until when. */
export const adjustmentInWords = (
  { what, amount, by, untilMs }: LiveAdjustment,
  atMs: number,
  why: string | null = null,
): string =>
  `${ADJUSTED[what](amount)}${why === null ? '' : `: ${why}`}${untilInWords(untilMs, atMs)}, by ${by}`;

const untilInWords = (untilMs: number | null, atMs: number): string =>
  untilMs === null ? '' : `, until ${timeOfDay(untilMs).slice(0, 5)} (${age(untilMs - atMs)} left)`;

function notQuotingFor(ms: number, { readiness, betslipCap }: LiveQuoting): Sentence {
  return {
    text: `NOT QUOTING for ${age(ms)}: ${shortageInWords(readiness, betslipCap.carries)}`,
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
    ...(unknownMs > UNKNOWN_MS ? [`an order is unknown for ${age(unknownMs)}`] : []),
    ...(trading.state === 'reducing' ? [`only reducing: ${trading.why}`] : []),
    ...strategiesOff.map(({ strategy, why }) => `${strategy} is off: ${why}`),
    ...money.limits.filter(isNear).map(limitUseInWords),
    ...(Math.abs(residual) > CENT ? [`the balance differs by ${PAGE.money(residual)}`] : []),
  ];
}

/** A sign of life. */
interface PulseDot {
  readonly name: string;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

/** Offers come every two seconds; without any for so long, the feed is dead. */
const FEED_DEAD_MS = 10_000;

/** How long until the exchange closes every order by itself, and the ages of its last frame and of the page. */
export function pulseOf({ run, view, atMs, ageMs }: Shown, isOld: boolean): readonly PulseDot[] {
  const leftS = run.heartbeatUntilMs === null ? null : Math.max(0, (run.heartbeatUntilMs - atMs) / 1_000);
  const frameMs = view.frameAtMs === null ? null : Math.max(0, atMs - view.frameAtMs);
  const old = (ms: number): string => `${PAGE.decimal(ms / 1_000, 1)} s old`;
  const dot = (name: string, text: string, isBad: boolean): PulseDot => ({
    name,
    text,
    tone: isBad ? 'bad' : 'good',
  });
  return [
    dot('heartbeat', leftS === null ? 'none' : `${Math.ceil(leftS)} s left`, (leftS ?? 0) === 0),
    dot('feed', frameMs === null ? 'no frame yet' : old(frameMs), (frameMs ?? Infinity) > FEED_DEAD_MS),
    dot('page', old(ageMs), isOld),
  ];
}

const isNear = ({ use, limit }: LimitUse): boolean => limit > 0 && use >= NEAR_LIMIT * limit;

const limitUseInWords = ({ name, use, limit, unit }: LimitUse): string =>
  `${limitInWords(name)} at ${unit === 'usdt' ? `${PAGE.money(use)} of ${PAGE.money(limit)}` : `${use} of ${limit}`}`;

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

/** What a profit with open bets leaves out for want of fair prices; empty if it leaves nothing out. */
export const noFairInWords = (withoutFair: number): string =>
  withoutFair === 0
    ? ''
    : `no fair price of ${withoutFair} selection${withoutFair === 1 ? '' : 's'} with bets: these count as worth nothing, but no event as less than its worst`;

/** Says that something is not there: without contact nobody knows, and the details of an event come only once the page asks for them. */
export function absentInWords(
  { view, ageMs }: Pick<Shown, 'view' | 'ageMs'>,
  key: string | null,
  words: string,
): string {
  if (isStale({ ageMs })) return 'No answer from the daemon: not known.';
  const event = eventsOf(view).find((each) => each.key === key);
  const isAwaited = event !== undefined && event.selections > 0 && selectionsOf(view, event.key).length === 0;
  return isAwaited ? 'Asking …' : words;
}

/** Why a selection is not quoted on both sides, in a few words; empty if it is. `trading` is the state of its event. */
export function notQuotedInWords(
  { missing, quotes, restriction }: Pick<LiveSelection, 'missing' | 'quotes' | 'restriction'>,
  trading: LiveTrading['state'],
): string {
  const state = restriction?.state ?? trading;
  if (quotes.length === 0 && state !== 'active') return state;
  if (missing !== null) return reasonInWords(missing);
  const without = DIRECTIONS.filter((side) => quotes.every(({ direction }) => direction !== side));
  if (without.length === 0) return '';
  return without.length === 1 ? `nothing wanted ${without[0]}` : 'nothing wanted';
}
