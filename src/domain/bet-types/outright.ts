import { PUSH, type Settlement } from '../payoff.ts';
import type { EventResult } from './result.ts';
import { readInteger, type Rule } from './rule.ts';

const LARGEST_ID = 999_999_999;
const LARGEST_PLACE = 1000;

/** The rule of `win,<team_id>` or `top,<n>,<team_id>`, null for any other outcome. */
export function outrightRule(outcome: string): Rule | null {
  const [family, ...args] = outcome.split(',');
  if (family === 'win' && args.length === 1) return placed('win', 1, readInteger(args[0], 1, LARGEST_ID));
  if (family !== 'top' || args.length !== 2) return null;
  return placed('top', readInteger(args[0], 1, LARGEST_PLACE), readInteger(args[1], 1, LARGEST_ID));
}

function placed(marketType: 'win' | 'top', last: number | null, teamId: number | null): Rule | null {
  if (last === null || teamId === null) return null;
  const text = marketType === 'win' ? `Winner: ${teamId}` : `Top ${last}: ${teamId}`;
  const settle = (result: EventResult): Settlement | null =>
    result.kind === 'places' ? settlePlace(result.places, teamId, last) : null;
  return { marketType, text, onGrid: false, settle };
}

/** A non-runner's bet is void. In a dead heat, runners that share a place share the remaining paid places. */
function settlePlace(places: ReadonlyMap<number, number>, teamId: number, last: number): Settlement {
  const place = places.get(teamId);
  if (place === undefined) return PUSH;
  const sharing = [...places.values()].filter((other) => other === place).length;
  const paid = Math.min(sharing, Math.max(0, last - place + 1));
  return { won: paid / sharing, lost: 1 - paid / sharing };
}
