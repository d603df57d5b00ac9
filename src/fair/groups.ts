/** Which selections of a tape have their fair values together. */
import type { EventTape } from '../research/tape.ts';

/**
 * Selections of which exactly `winners` win: a set that excludes all others, or both sides of an Asian line, of which one wins
 * unless the stake is returned. A selection of no set is a group of its own, of which nothing is known but its book.
 */
export interface Group {
  readonly market: number;
  /** Positions in `EventTape.selections`. */
  readonly selections: readonly number[];
  /** Null for a selection of its own. */
  readonly winners: number | null;
}

/** The outcomes of a market that exclude all others, whatever the source says, and how many of them win. */
interface Known {
  readonly outcomes: readonly string[];
  readonly winners: number;
}

const MATCH: Known = { outcomes: ['h', 'd', 'a'], winners: 1 };
const TWO_WAY: Known = { outcomes: ['h', 'a'], winners: 1 };
const FIXED: readonly Known[] = [
  { outcomes: ['dnb,h', 'dnb,a'], winners: 1 },
  { outcomes: ['dc,h,d', 'dc,d,a', 'dc,h,a'], winners: 2 },
  { outcomes: ['odd', 'even'], winners: 1 },
];
/** Families of which each runner may be recorded or not: they are sets if the source says so. */
const STATED = new Set(['win', 'top', 'cs', 'exact_total']);

/** The groups of an event. Each selection is in one. */
export function groupsOf(tape: EventTape): Group[] {
  return tape.markets.flatMap((_, market) => groupsOfMarket(tape, market));
}

function groupsOfMarket(tape: EventTape, market: number): Group[] {
  const places = new Map<string, number>();
  for (const [at, { outcome, market: of }] of tape.selections.entries())
    if (of === market) places.set(outcome, at);
  const groups: Group[] = [];
  const take = ({ outcomes, winners }: Known): void => {
    if (!outcomes.every((outcome) => places.has(outcome))) return;
    groups.push({ market, selections: outcomes.map((outcome) => places.get(outcome) ?? -1), winners });
    for (const outcome of outcomes) places.delete(outcome);
  };
  for (const known of knownOf(tape, market)) take(known);
  for (const outcome of Array.from(places.keys())) if (places.has(outcome)) take(pairOf(outcome));
  for (const stated of statedOf(tape, market, [...places.keys()])) take(stated);
  return [...groups, ...Array.from(places.values(), (at) => ({ market, selections: [at], winners: null }))];
}

/** Sets that a market may have by the meaning of their outcomes. */
function knownOf({ event, markets }: EventTape, market: number): readonly Known[] {
  const isFootball = event.sport === 'fb' || event.sport.startsWith('fb_');
  return markets[market]?.otherRunners === 0 ? [isFootball ? MATCH : TWO_WAY, ...FIXED] : FIXED;
}

/** The set of a market of which the source states the winners and every runner. */
function statedOf({ markets }: EventTape, market: number, outcomes: readonly string[]): readonly Known[] {
  const { winners, otherRunners } = markets[market] as EventTape['markets'][number];
  const stated = outcomes.filter((outcome) => STATED.has(outcome.split(',')[0] ?? ''));
  if (winners === null || winners < 1 || otherRunners > 0 || stated.length <= winners) return [];
  return [{ outcomes: stated, winners }];
}

/** Both sides of a line. `ah` counts the line from home for either side. */
function pairOf(outcome: string): Known {
  const [family = '', ...rest] = outcome.split(',');
  const line = rest.join(',');
  const winners = 1;
  if (family === 'ah') return { outcomes: [`ah,h,${rest[1]}`, `ah,a,${rest[1]}`], winners };
  if (family === 'ahover' || family === 'ahunder')
    return { outcomes: [`ahover,${line}`, `ahunder,${line}`], winners };
  if (family === 'over' || family === 'under')
    return { outcomes: [`over,${line}`, `under,${line}`], winners };
  const question = outcome.replace(/,(yes|no)$/, '');
  return { outcomes: [`${question},yes`, `${question},no`], winners };
}
