import { odds, TERMINAL } from '../../lib/formats.ts';
import type { HedgePreviewReport, HedgeProgressReport } from '../../app/operate/hedge.ts';
import { plainText } from '../../lib/plain-text.ts';
import { renderTable, type Row } from './output.ts';
import { hasMissedBound, isBeyond, missedInWords, unmatchedInWords } from '../../read-model/hedge-words.ts';
import { onExchange } from '../../read-model/bet-terms.ts';

/** Goals on each side up to this many are shown; `--json` has all scores. */
const MOST_GOALS = 5;

const amount = (usdt: number): string => TERMINAL.cents(usdt);

/** What a hedge would do, for people. */
export function renderHedge(preview: HedgePreviewReport): string[] {
  const { event, boundUsdt, way, bets, worstUsdt, expectedLossUsdt, commissionUsdt, betslips, seconds } =
    preview;
  const loss = expectedLossUsdt === null ? 'not known' : amount(expectedLossUsdt);
  return [
    plainText(`${event}: ${way === 'take' ? 'to take now' : 'to offer'}`),
    ...renderTable(
      bets.map((bet) => ({ ...betRow(bet), betslip: bet.hasBetslip ? 'open' : 'to be opened' })),
    ),
    '',
    `worst case ${amount(worstUsdt.before)} USDT, with all of it matched ${amount(worstUsdt.after)}, with half of it ${amount(worstUsdt.ifHalf)}`,
    ...(isBeyond(worstUsdt.after, boundUsdt)
      ? [`the bound ${amount(boundUsdt ?? 0)} cannot be reached now: this comes nearest to it`]
      : []),
    ...aroundOf(preview, worstUsdt.before),
    `expected loss at fair prices ${loss} USDT, further commission at most ${amount(commissionUsdt)} USDT`,
    `needs ${betslips} further ${betslips === 1 ? 'betslip' : 'betslips'} and about ${seconds} s`,
    '',
    ...outcomesOf(preview.outcomes),
  ];
}

/** What became of a hedge, for people. */
export function renderProgress(progress: HedgeProgressReport): string[] {
  const { bets, worstUsdt, isOver, ...around } = progress;
  return [
    ...renderTable(
      bets.map((bet) => ({ ...betRow(bet), matched: amount(bet.filledUsdt), state: bet.state })),
    ),
    `worst case of what is matched now: ${amount(worstUsdt)} USDT${isOver ? '' : ', while bets are still open'}`,
    ...unmatchedInWords(progress).map((line) => plainText(line)),
    ...(hasMissedBound(progress) ? [missedInWords(progress, TERMINAL)] : []),
    ...aroundOf(around, worstUsdt),
  ];
}

type Around = Pick<HedgePreviewReport, 'event' | 'withOpenUsdt' | 'tradingState'>;

/** Says which orders a hedge leaves out, and how to keep what it reaches. */
function aroundOf({ event, withOpenUsdt, tradingState }: Around, matchedUsdt: number): string[] {
  const resting =
    withOpenUsdt !== undefined && withOpenUsdt < matchedUsdt
      ? [`with the orders that rest it is ${amount(withOpenUsdt)} USDT now`]
      : [];
  const quoting = `quoting goes on, and its fills may take the worst case beyond; to allow only orders that improve it: touchline risk state reducing --event "${event}" --reason TEXT`;
  return [...resting, ...(tradingState === 'active' ? [plainText(quoting)] : [])];
}

type ShownBet = Omit<HedgeProgressReport['bets'][number], 'state' | 'filledUsdt'>;

const betRow = ({ name, direction, price, stakeUsdt, exchange }: ShownBet): Row => ({
  selection: plainText(name),
  side: direction,
  price: `${odds(price)}${onExchange(exchange, TERMINAL)}`,
  stake: amount(stakeUsdt),
});

type Outcomes = HedgePreviewReport['outcomes'];
type Outcome = Outcomes[number];

const SCORE = /^(\d+)-(\d+)$/;

const COLUMNS = ['beforeUsdt', 'afterUsdt', 'ifHalfUsdt'] as const;

/**
 * Scores as a grid, home goals downwards; anything else one a line. Each cell: what is paid now, then with all of it matched. A score beyond
 * the grid has a line where it pays less than all that is shown: the least of the table is the worst case.
 */
function outcomesOf(outcomes: Outcomes): string[] {
  const inGrid = outcomes.filter(isInGrid);
  const others = outcomes.filter(({ name }) => !SCORE.test(name));
  const beyond = outcomes.filter((each) => SCORE.test(each.name) && !isInGrid(each));
  const least = COLUMNS.flatMap((column) => lowerIn(column, beyond, [...inGrid, ...others]));
  const rows = [...new Set(least), ...others].map(({ name, beforeUsdt, afterUsdt, ifHalfUsdt }) => ({
    outcome: plainText(name),
    now: amount(beforeUsdt),
    hedged: amount(afterUsdt),
    if_half: amount(ifHalfUsdt),
  }));
  return [
    'the least that the event pays if it ends so, after commission:',
    ...gridOf(inGrid),
    ...renderTable(rows),
  ];
}

const isInGrid = ({ name }: Outcome): boolean => {
  const [, home, away] = SCORE.exec(name) ?? [];
  return home !== undefined && Number(home) <= MOST_GOALS && Number(away) <= MOST_GOALS;
};

/** The first of those that pay least, if that is less than all of the shown pay. */
function lowerIn(column: (typeof COLUMNS)[number], of: Outcomes, shown: Outcomes): Outcomes {
  const [first] = of.toSorted((a, b) => a[column] - b[column]);
  return first !== undefined && shown.every((each) => first[column] < each[column]) ? [first] : [];
}

function gridOf(outcomes: Outcomes): string[] {
  const cells = new Map(outcomes.map((each) => [each.name, each]));
  const goals = Array.from({ length: MOST_GOALS + 1 }, (_, count) => count);
  const isShown = (home: number): boolean => goals.some((away) => cells.has(`${home}-${away}`));
  const rows = goals.filter(isShown).map((home): Row => {
    const across = goals.map((away) => {
      const cell = cells.get(`${home}-${away}`);
      const text = cell === undefined ? '-' : `${amount(cell.beforeUsdt)} > ${amount(cell.afterUsdt)}`;
      return [`to_${away}`, text] as const;
    });
    return { home, ...Object.fromEntries(across) };
  });
  return rows.length === 0 ? [] : ['now > hedged, by final score:', ...renderTable(rows)];
}
