/**
 * What fills are worth, where their profit comes from and what they settle for, once more by `docs/statistics.md`, `docs/import.md` and
 * `docs/backtest.md` alone. It shares no code with what it checks but the forms of tapes and fills.
 */
import { LADDER } from '../../src/domain/ladder.ts';
import type { EventOutcome, ResearchFill } from '../../src/research/result.ts';
import { OP } from '../../src/research/tape.ts';
import type { NaiveEvent } from './naive-fair.ts';

const HORIZONS_S = [10, 60, 300];

/** The fields of a fill that the docs define. Probabilities, and whole micros. */
export type NaiveFill = Pick<
  ResearchFill,
  | 'fairAtFill'
  | 'worthMicros'
  | 'markKinds'
  | 'fairLater'
  | 'markMicros'
  | 'fairAtClose'
  | 'closingMicros'
  | 'noClosing'
  | 'startingMicros'
  | 'lastMicros'
  | 'perUnpushed'
  | 'dataAgeMs'
  | 'startsInMs'
  | 'settledMicros'
>;

export type NaiveTerms = Pick<ResearchFill, 'direction' | 'tick' | 'stakeMicros' | 'atMs' | 'inPlay'> & {
  readonly selection: number;
};

const probability = (logOdds: number | null): number | null =>
  logOdds === null ? null : 1 / (1 + Math.exp(0 - logOdds));

export function naiveFill(event: NaiveEvent, terms: NaiveTerms): NaiveFill {
  const { selection, atMs } = terms;
  const before = event.fair(selection, atMs, false);
  const marks = HORIZONS_S.map((horizonS) => event.mark(selection, atMs, horizonS));
  const offMs = event.beforePlayMs(selection) ?? Infinity;
  const line = atMs < offMs - 60_000 ? event.closingLine(selection) : null;
  const settledMicros = settled(event, terms);
  const worthAt = (logOdds: number | null, thenMs: number) =>
    logOdds === null ? null : worth(event, terms, probability(logOdds) ?? NaN, thenMs);
  const closingMicros = worthAt(line, offMs);
  const last = event.lastAfter(selection, atMs);
  const { startingPrice } = event.tape.selections[selection] ?? {};
  return {
    fairAtFill: probability(before),
    worthMicros: worthAt(before, atMs),
    markKinds: marks.map(({ kind }) => kind),
    fairLater: marks.map(({ logOdds }) => probability(logOdds)),
    markMicros: marks.map((mark) => worthAt(mark.logOdds, mark.atMs) ?? settledMicros),
    fairAtClose: probability(line),
    closingMicros,
    noClosing: noClosing(event, terms, line),
    startingMicros:
      startingPrice === undefined || atMs >= offMs ? null : worth(event, terms, 1 / startingPrice, offMs),
    lastMicros: closingMicros ?? (last === null ? null : worthAt(last.value, last.untilMs - 0.5)),
    perUnpushed: unpushed(event, selection, atMs) === null,
    dataAgeMs: atMs - updatedMs(event, selection, atMs),
    startsInMs: event.tape.startMs - atMs,
    settledMicros,
  };
}

function noClosing(
  event: NaiveEvent,
  { selection, atMs }: NaiveTerms,
  line: number | null,
): NaiveFill['noClosing'] {
  const offMs = event.beforePlayMs(selection);
  if (line !== null) return null;
  if (offMs === null) return 'the recording ends before play';
  if (atMs >= offMs) return 'the fill is in play';
  return offMs - atMs <= 60_000
    ? 'the fill is in the last minute before play'
    : 'no fair value in the last minute before play';
}

/** The last change of the selection's book, or trade, before an instant; else the first of the recording. */
function updatedMs({ tape: { updates, startMs } }: NaiveEvent, selection: number, beforeMs: number): number {
  const { atMs, op, of } = updates;
  let row = atMs.findLastIndex((ms) => ms < beforeMs);
  while (row >= 0 && (op[row] === OP.state || of[row] !== selection)) row--;
  return atMs[Math.max(0, row)] ?? startMs;
}

/** stake × ρ × (price × q − 1), and the negative of it against. */
function worth(event: NaiveEvent, terms: NaiveTerms, q: number, thenMs: number): number {
  const share = unpushed(event, terms.selection, thenMs) ?? 1;
  const price = reducedPrice(event, terms, thenMs);
  const micros = Math.round(terms.stakeMicros * share * (price * q - 1));
  return terms.direction === 'for' ? micros : 0 - micros;
}

/** The share of the stake that is not expected to be returned: the draw returns draw no bet and the line 0, and half of a quarter line. */
function unpushed(event: NaiveEvent, selection: number, atMs: number): number | null {
  const { outcome = '' } = event.tape.selections[selection] ?? {};
  const [kind, one = '', two = ''] = outcome.split(',');
  const quarters = kind === 'ah' ? Math.abs(Number(two)) : Math.abs(Number(one));
  const isLine = kind === 'ah' || kind === 'ahover' || kind === 'ahunder';
  if (kind !== 'dnb' && (!isLine || quarters % 4 === 2)) return 1;
  const byDraw = kind === 'dnb' ? 1 : kind === 'ah' && quarters <= 1 ? 1 - quarters / 2 : null;
  const drawAt = event.tape.selections.findIndex((each) => each.outcome === 'd');
  const draw = drawAt === -1 ? null : probability(event.lastFair(drawAt, atMs));
  return byDraw === null || draw === null ? null : 1 - byDraw * draw;
}

/** The price that is left of a bet by an instant. */
function reducedPrice(event: NaiveEvent, { selection, tick, atMs }: NaiveTerms, thenMs: number): number {
  const { removals, selections, markets } = event.tape;
  const market = selections[selection]?.market ?? -1;
  let price = LADDER[tick] ?? NaN;
  const type = markets[market]?.marketType;
  for (const removal of removals) {
    const isLater = removal.market === market && removal.atMs > atMs && removal.atMs <= thenMs;
    const factor = removal.factor ?? 0;
    if (!isLater || removal.selection === selection) continue;
    if (type === 'win' && factor >= 2.5) price *= 1 - factor / 100;
    if (type === 'top') price = 1 + (price - 1) * (1 - factor / 100);
  }
  return Math.max(price, 1.01);
}

/** Wins stake × (price − 1) × the won share − stake × the lost share. */
function settled(event: NaiveEvent, terms: NaiveTerms): number | null {
  const settlement = event.tape.selections[terms.selection]?.settlement ?? null;
  if (settlement === null) return null;
  const price = reducedPrice(event, terms, Infinity);
  const micros = Math.round(
    terms.stakeMicros * (price - 1) * settlement.won - terms.stakeMicros * settlement.lost,
  );
  return terms.direction === 'for' ? micros : 0 - micros;
}

/** Where the settled profit of fills comes from. */
export function naiveSplit(fills: readonly NaiveFill[]): Record<string, number> {
  const split = { spread: 0, adverse: 0, inventory: 0, settlement: 0 };
  for (const { worthMicros, markMicros, markKinds, lastMicros, settledMicros } of fills) {
    const first = worthMicros ?? 0;
    const marked = markMicros[1] ?? first;
    const last = markKinds[1] === 'result' ? marked : (lastMicros ?? marked);
    split.spread += first;
    split.adverse += marked - first;
    split.inventory += last - marked;
    split.settlement += (settledMicros ?? last) - last;
  }
  return split;
}

/** Profit after commission on the net winnings of each market. */
export function naiveAfterCommission(
  event: NaiveEvent,
  fills: readonly { readonly selection: number; readonly settledMicros: number | null }[],
  commission: number | null = null,
): number | null {
  const net = event.tape.markets.map(() => 0);
  for (const { selection, settledMicros } of fills) {
    if (settledMicros === null) return null;
    const market = event.tape.selections[selection]?.market ?? -1;
    net[market] = (net[market] ?? NaN) + settledMicros;
  }
  return net.reduce(
    (sum, micros, at) => sum + micros - Math.round(Math.max(0, micros) * rateOf(event, at, commission)),
    0,
  );
}

/** That of `--commission`, or of the market. */
const rateOf = ({ tape }: NaiveEvent, market: number, commission: number | null): number =>
  commission ?? tape.markets[market]?.commissionRate ?? 0;

/** A fill as a position holds it: contracts, negative against; its fair value; the share of the stake that is not expected back. */
interface Held {
  readonly terms: NaiveTerms;
  readonly contracts: number;
  readonly q: number;
  readonly share: number;
}

function heldAt(event: NaiveEvent, terms: NaiveTerms, q: number): Held {
  const contracts = Math.round(terms.stakeMicros * (LADDER[terms.tick] ?? NaN));
  return {
    terms,
    contracts: terms.direction === 'for' ? contracts : 0 - contracts,
    q,
    share: unpushed(event, terms.selection, terms.atMs) ?? 1,
  };
}

/**
 * The sum over positions of the root of Σ c (c + 2 C) q (1 − q), less 2 c C q p of what is held on others of a set with one winner. Each term
 * counts by the share of its stake that is not expected back.
 */
function deviation(event: NaiveEvent, fills: readonly Held[]): number {
  const positions = event.sets.flatMap(({ selections, winners }) =>
    winners === 1 ? [[...selections]] : selections.map((selection) => [selection]),
  );
  return positions.reduce((sum, position) => {
    const own = fills.filter(({ terms }) => position.includes(terms.selection));
    const variance = own.reduce((total, { terms, contracts, q, share }, at) => {
      let factor = contracts * q * (1 - q);
      const ofOthers = new Map(
        position.map((each) => [each, probability(event.lastFair(each, terms.atMs)) ?? 0]),
      );
      for (const before of own.slice(0, at)) {
        const { selection } = before.terms;
        const p = ofOthers.get(selection) ?? NaN;
        factor += 2 * before.contracts * q * (selection === terms.selection ? 1 - q : -p);
      }
      return total + share * contracts * factor;
    }, 0);
    return sum + Math.sqrt(Math.max(0, variance));
  }, 0);
}

/** The fields of an outcome that the docs define, of fills in the order of time. */
export function naiveOutcome(
  event: NaiveEvent,
  drawn: readonly NaiveTerms[],
  naive: readonly NaiveFill[],
  commission: number | null,
): Pick<EventOutcome, 'surpriseMicros' | 'deviationMicros' | 'chanceCommissionMicros' | 'closingMicros'> &
  Pick<EventOutcome, 'closedFills' | 'closedStakeMicros' | 'stakeMicros' | 'fills' | 'day'> {
  const judged = naive.map((fill, at) => ({ terms: drawn[at] as NaiveTerms, ...fill }));
  const lucky = judged.filter(
    ({ worthMicros, settledMicros }) => worthMicros !== null && settledMicros !== null,
  );
  const closed = judged.filter(({ closingMicros }) => closingMicros !== null);
  // A fill without a fair value counts as a fair bet.
  const held = judged.map(({ terms, fairAtFill }) =>
    heldAt(event, terms, fairAtFill ?? 1 / (LADDER[terms.tick] ?? NaN)),
  );
  const chance = event.tape.markets.map((_, market) => {
    const own = held.filter(({ terms }) => event.tape.selections[terms.selection]?.market === market);
    return (rateOf(event, market, commission) * deviation(event, own)) / 2;
  });
  const stakeOf = (fills: readonly { readonly terms: NaiveTerms }[]): number =>
    fills.reduce((sum, { terms }) => sum + terms.stakeMicros, 0);
  return {
    fills: drawn.length,
    stakeMicros: stakeOf(judged),
    day: new Date(event.tape.startMs).toISOString().slice(0, 10),
    surpriseMicros: lucky.reduce(
      (sum, { worthMicros, settledMicros }) => sum + (settledMicros ?? 0) - (worthMicros ?? 0),
      0,
    ),
    deviationMicros: deviation(
      event,
      lucky.map(({ terms, fairAtFill }) => heldAt(event, terms, fairAtFill ?? NaN)),
    ),
    chanceCommissionMicros: chance.reduce((sum, micros) => sum + micros, 0),
    closingMicros: closed.reduce((sum, { closingMicros }) => sum + (closingMicros ?? 0), 0),
    closedFills: closed.length,
    closedStakeMicros: stakeOf(closed),
  };
}

/** The profits of a selection's fills if it wins and if it loses. */
export interface NaivePosition {
  readonly win: number;
  readonly lose: number;
}

/** By the prices that the removals until an instant leave. */
export function naivePosition(
  event: NaiveEvent,
  drawn: readonly NaiveTerms[],
  selection: number,
  nowMs: number,
): NaivePosition {
  let [win, lose] = [0, 0];
  for (const terms of drawn) {
    if (terms.selection !== selection) continue;
    const sign = terms.direction === 'for' ? 1 : -1;
    win += sign * Math.round(terms.stakeMicros * (reducedPrice(event, terms, nowMs) - 1));
    lose -= sign * terms.stakeMicros;
  }
  return { win, lose };
}

/** Positions at the last fair values, or where there was none at their worst. */
export function naiveMarked(event: NaiveEvent, positions: readonly NaivePosition[], nowMs: number): number {
  const worths = positions.map(({ win, lose }, selection) => {
    const q = probability(event.lastFair(selection, nowMs));
    return q === null ? Math.min(win, lose) : q * win + (1 - q) * lose;
  });
  return worths.reduce((sum, each) => sum + each, 0);
}

/** What the fills of a phase are worth to the verdict, and the stake that it judges. */
export function naiveVerdict(
  event: NaiveEvent,
  drawn: readonly NaiveTerms[],
  inPlay: boolean,
): { readonly worth: number; readonly stake: number } {
  let [worthOfAll, stake] = [0, 0];
  for (const terms of drawn) {
    if (terms.inPlay !== inPlay) continue;
    const { closingMicros, markMicros } = naiveFill(event, terms);
    const micros = closingMicros ?? markMicros[1] ?? null;
    if (micros === null) continue;
    worthOfAll += micros;
    stake += terms.stakeMicros;
  }
  return { worth: worthOfAll, stake };
}
