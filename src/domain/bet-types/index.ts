import { GRID_SIZE, type Settlement } from '../payoff.ts';
import { splitBetType } from '../selection.ts';
import type { EventResult, ParsedBetType } from './result.ts';
import { footballRule } from './football.ts';
import { outrightRule } from './outright.ts';
import type { Rule, ScoreReader } from './rule.ts';
import { TWO_WAY, twoWayRule } from './two-way.ts';

const fullScore: ScoreReader = (result) => [result.home, result.away];
const halfTimeScore: ScoreReader = (result) => [result.halfTimeHome, result.halfTimeAway];

/**
 * Parses a bet type of the exchange's grammar (published facts, "Bet types") for a sport code; null if it does not parse.
 * Football (`fb`) and its parts (`fb_ht`, `fb_corn`, every `fb_…`) have the whole grammar. Other sports have two-way
 * match odds `h` and `a`. Outrights `win,<team_id>` and `top,<n>,<team_id>` exist in every sport. `fb_ht` is settled on
 * the half-time score, every other part on the score of its own event. Each outcome has one spelling: `over,2.50`,
 * `ah,h,+4` and `dc,d,h` do not parse.
 */
export function parseBetType(sport: string, betType: string): ParsedBetType | null {
  const parts = splitBetType(betType);
  const rule = parts === null ? null : (ruleOf(sport, parts.outcome) ?? outrightRule(parts.outcome));
  if (parts === null || rule === null) return null;
  return {
    direction: parts.direction,
    outcome: parts.outcome,
    marketType: rule.marketType,
    description: parts.direction === 'for' ? rule.text : `Against ${rule.text}`,
    onGrid: rule.onGrid,
    settle: (result: EventResult) =>
      result.kind === 'settled' ? (result.settlements.get(parts.outcome) ?? null) : rule.settle(result),
  };
}

/** The names of an event's teams. */
export interface TeamNames {
  readonly home?: string | undefined;
  readonly away?: string | undefined;
}

/** The description of a bet type with the names of the teams in place of "Home" and "Away"; empty names leave them. */
export function describedFor(description: string, { home = '', away = '' }: TeamNames): string {
  const names: Readonly<Record<string, string>> = { Home: home, Away: away };
  return description.replaceAll(/\b(?:Home|Away)\b/g, (side) => names[side] || side);
}

function ruleOf(sport: string, outcome: string): Rule | null {
  if (sport !== 'fb' && !sport.startsWith('fb_')) return twoWayRule(outcome, fullScore);
  return footballRule(outcome, sport === 'fb_ht' ? halfTimeScore : fullScore);
}

/**
 * The grid of the bet type lookup, `[home][away]` over final scores 0 to 19, for the bet in its own direction: `w` in an
 * `against` grid means that the against bet wins. Cells are `w`, `l`, `p` (push) and `v` (void: a tie in match odds
 * without a draw). The codes of half outcomes are not published. This exchange uses `hw` if half the stake wins and `hl`
 * if half is lost; the rest is returned. The grid is empty for bet types that no score decides.
 */
export function winLossGrid(parsed: ParsedBetType): string[][] {
  if (!parsed.onGrid) return [];
  return range(GRID_SIZE).map((home) => range(GRID_SIZE).map((away) => cellOf(parsed, home, away)));
}

function cellOf(parsed: ParsedBetType, home: number, away: number): string {
  const result: EventResult = { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away };
  const settlement = parsed.settle(result);
  if (settlement === null) return 'v';
  return codeOf(parsed.direction === 'for' ? settlement : mirrored(settlement), parsed.marketType);
}

const mirrored = ({ won, lost }: Settlement): Settlement => ({ won: lost, lost: won });

function codeOf({ won, lost }: Settlement, marketType: string): string {
  if (won === 0 && lost === 0) return marketType === TWO_WAY ? 'v' : 'p';
  const part = won + lost < 1 ? 'h' : '';
  return part + (won > 0 ? 'w' : 'l');
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
