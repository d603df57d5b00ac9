/** How the selections of a generated event settle, by `docs/import.md` alone. */
import type { Settlement } from '../../../src/domain/payoff.ts';
import type { NaiveMarket } from './naive-import.ts';

/** What a bet for pays after a score: the won and the lost share of the stake. */
function paidAfter(outcome: string, home: number, away: number): Settlement {
  const all = (isWon: boolean): Settlement => (isWon ? { won: 1, lost: 0 } : { won: 0, lost: 1 });
  if (outcome === 'h') return all(home > away);
  if (outcome === 'a') return all(away > home);
  if (outcome === 'd') return all(home === away);
  if (outcome === 'over,2.5') return all(home + away > 2.5);
  if (outcome === 'under,2.5') return all(home + away < 2.5);
  const [, side = '', quarters = ''] = outcome.split(',');
  // A quarter line is half of either line beside it.
  const line = Number(quarters) / 4;
  const halves = Number(quarters) % 2 === 0 ? [line, line] : [line - 0.25, line + 0.25];
  const margins = halves.map((each) => (side === 'h' ? 1 : -1) * (home - away + each));
  return {
    won: margins.filter((margin) => margin > 0).length / 2,
    lost: margins.filter((margin) => margin < 0).length / 2,
  };
}

/** Null where any settlement would be a guess. */
export function settlementOf(
  outcome: string,
  market: NaiveMarket,
  markets: readonly NaiveMarket[],
): Settlement | null {
  const status = market.statuses.get(outcome) ?? '';
  if (status === 'REMOVED') return { won: 0, lost: 0 };
  if (market.given.type === 'WIN' || market.given.type === 'PLACE') {
    const won = [...market.statuses.values()].filter((each) => each === 'WINNER').length;
    if (status !== 'WINNER') return { won: 0, lost: 1 };
    if (won <= market.given.winners) return { won: 1, lost: 0 };
    // A dead heat for one place divides it; for the last of several nobody knows who shares it.
    return market.given.winners === 1 ? { won: 1 / won, lost: 1 - 1 / won } : null;
  }
  const scores = Array.from({ length: 400 }, (_, at) => [Math.floor(at / 20), at % 20] as const).filter(
    ([home, away]) =>
      markets.every(({ statuses }) => {
        return [...statuses].every(([each, told]) => {
          const { won, lost } = paidAfter(each, home, away);
          // Of a level line both sides have one status.
          const pushes = won === 0 && lost === 0;
          const isLevel = isPushed(each, statuses);
          if (isLevel) return pushes;
          return told === 'WINNER' ? won > 0 : lost > 0;
        });
      }),
  );
  if (isPushed(outcome, market.statuses)) return { won: 0, lost: 0 };
  const paid = scores.map(([home, away]) => paidAfter(outcome, home, away));
  const [first] = paid;
  if (first !== undefined && paid.every(({ won, lost }) => won === first.won && lost === first.lost))
    return first;
  const isQuarter = outcome.startsWith('ah,') && Number(outcome.split(',')[2]) % 2 !== 0;
  if (isQuarter) return null;
  return status === 'WINNER' ? { won: 1, lost: 0 } : { won: 0, lost: 1 };
}

/** A whole line whose sides have one status. */
function isPushed(outcome: string, statuses: ReadonlyMap<string, string>): boolean {
  const [family, side, quarters] = outcome.split(',');
  if (family !== 'ah' || Number(quarters) % 4 !== 0) return false;
  const other = `ah,${side === 'h' ? 'a' : 'h'},${quarters}`;
  return statuses.get(outcome) === statuses.get(other);
}
