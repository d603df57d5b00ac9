/**
 * What fills are worth, where their profit comes from and what they settle for, once more by `docs/statistics.md`, `docs/import.md` and
 * `docs/backtest.md` alone. It shares no code with what it checks but the forms of tapes and fills.
 */
import { LADDER } from '../../src/domain/ladder.ts';
import type { ResearchFill } from '../../src/research/result.ts';
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
  | 'startingMicros'
  | 'lastMicros'
  | 'perUnpushed'
  | 'settledMicros'
>;

export type NaiveTerms = Pick<ResearchFill, 'direction' | 'tick' | 'stakeMicros' | 'atMs'> & {
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
  const { startingPrice } = event.tape.selections[selection] ?? {};
  return {
    fairAtFill: probability(before),
    worthMicros: worthAt(before, atMs),
    markKinds: marks.map(({ kind }) => kind),
    fairLater: marks.map(({ logOdds }) => probability(logOdds)),
    markMicros: marks.map((mark) => worthAt(mark.logOdds, mark.atMs) ?? settledMicros),
    fairAtClose: probability(line),
    closingMicros,
    startingMicros:
      startingPrice === undefined || atMs >= offMs ? null : worth(event, terms, 1 / startingPrice, offMs),
    lastMicros: closingMicros ?? worthAt(event.lastAfter(selection, atMs), Infinity),
    perUnpushed: unpushed(event, selection, atMs) === null,
    settledMicros,
  };
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
): number | null {
  const net = event.tape.markets.map(() => 0);
  for (const { selection, settledMicros } of fills) {
    if (settledMicros === null) return null;
    const market = event.tape.selections[selection]?.market ?? -1;
    net[market] = (net[market] ?? NaN) + settledMicros;
  }
  return net.reduce(
    (sum, micros, at) =>
      sum + micros - Math.round(Math.max(0, micros) * (event.tape.markets[at]?.commissionRate ?? 0)),
    0,
  );
}
