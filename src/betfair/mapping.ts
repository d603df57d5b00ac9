/**
 * Which bet type of the exchange a runner of a Betfair market is. Betfair's files often lack names; then the runner's place in the
 * market's own order tells what it is, which Betfair keeps for each market type.
 */
import type { MarketDefinition, RunnerDefinition } from './definition.ts';
import { isHomeFirst } from './roles.ts';

/** The exchange's sports by Betfair's event types. */
const SPORTS: ReadonlyMap<string, string> = new Map([
  ['1', 'fb'],
  ['2', 'tennis'],
  ['4', 'cricket'],
  ['5', 'ru'],
  ['7', 'horse'],
  ['4339', 'dogs'],
  ['7522', 'basket'],
  ['2378961', 'politics'],
  ['27454571', 'esports'],
]);

/** Betfair's id of the draw. */
const DRAW_ID = 58805;
const ANY_DRAW_IDS = new Set([DRAW_ID, 60443]);

/** The bet types of a market. */
export interface Mapped {
  readonly sport: string;
  /** The family on the exchange, such as `wdw`. */
  readonly family: string;
  /** One for each runner; null for runners without a bet type. */
  readonly outcomes: readonly (string | null)[];
}

/** A market without a bet type on the exchange. */
export interface Unmapped {
  readonly why: string;
}

type Name = (runner: RunnerDefinition, place: number) => string | null;

interface Family {
  readonly family: string;
  readonly name: Name;
  /** The part of the match: `_ht` the first half, `_corn` the corners. */
  readonly part?: '_ht' | '_corn';
}

export const sportOf = ({ sportCode }: MarketDefinition): string =>
  SPORTS.get(sportCode) ?? `betfair_${sportCode}`;

/** The bet types of a market's runners. */
export function mapMarket(definition: MarketDefinition): Mapped | Unmapped {
  const found = familyOf(definition);
  if ('why' in found) return found;
  const outcomes = definition.runners.map((runner, place) => found.name(runner, place));
  if (outcomes.every((outcome) => outcome === null))
    return { why: 'no runner has a bet type on the exchange' };
  return { sport: sportOf(definition) + (found.part ?? ''), family: found.family, outcomes };
}

function familyOf(definition: MarketDefinition): Family | Unmapped {
  const { marketType, sportCode, winners, runners } = definition;
  if (marketType === 'WIN') return { family: 'win', name: ({ runnerId }) => `win,${runnerId}` };
  if (marketType === 'PLACE' || marketType === 'OTHER_PLACE')
    return winners < 1
      ? { why: 'the number of places is not stated' }
      : { family: 'top', name: ({ runnerId }) => `top,${winners},${runnerId}` };
  if (marketType === 'OUTRIGHT_WINNER' || marketType === 'TOURNAMENT_WINNER')
    return { family: 'win', name: ({ runnerId }) => `win,${runnerId}` };
  if (sportCode === '1') return footballFamily(definition) ?? { why: 'the exchange has no such bet type' };
  if (marketType !== 'MATCH_ODDS' && marketType !== 'MONEY_LINE')
    return { why: 'outside football the exchange has match odds of two sides alone' };
  if (runners.length !== 2)
    return {
      why: `${runners.length} runners; outside football the exchange has match odds of two sides alone`,
    };
  return { family: 'ml', name: homeAway(definition) };
}

function footballFamily(definition: MarketDefinition): Family | null {
  const { marketType } = definition;
  const fixed = FOOTBALL.get(marketType);
  if (fixed !== undefined) return fixed(definition);
  const total = /^(OVER_UNDER|FIRST_HALF_GOALS)_(\d+)5(_CORNR)?$/.exec(marketType);
  if (total === null) return null;
  const part = total[3] !== undefined ? '_corn' : total[1] === 'FIRST_HALF_GOALS' ? '_ht' : undefined;
  const family: Family = { family: 'ou', name: overUnder(`${Number(total[2])}.5`) };
  return part === undefined ? family : { ...family, part };
}

const FOOTBALL = new Map<string, (definition: MarketDefinition) => Family>([
  ['MATCH_ODDS', (definition) => ({ family: 'wdw', name: homeAwayDraw(definition) })],
  ['HALF_TIME', (definition) => ({ family: 'wdw', name: homeAwayDraw(definition), part: '_ht' })],
  ['DRAW_NO_BET', (definition) => ({ family: 'dnb', name: homeAway(definition, 'dnb,') })],
  [
    'DOUBLE_CHANCE',
    () => ({ family: 'dc', name: (_, place) => ['dc,h,d', 'dc,d,a', 'dc,h,a'][place] ?? null }),
  ],
  ['BOTH_TEAMS_TO_SCORE', () => ({ family: 'score', name: yesNo('score,both') })],
  ['ODD_OR_EVEN', () => ({ family: 'oe', name: oddEven })],
  ['CORRECT_SCORE', () => ({ family: 'cs', name: correctScore })],
  ['HALF_TIME_SCORE', () => ({ family: 'cs', name: correctScore, part: '_ht' })],
  ['ASIAN_HANDICAP', (definition) => ({ family: 'ah', name: asianHandicap(definition) })],
  ['ALT_TOTAL_GOALS', () => ({ family: 'ahou', name: asianTotal })],
  ['TOTAL_GOALS', () => ({ family: 'ou', name: goalsOrMore })],
]);

const isDraw = ({ runnerId, name }: RunnerDefinition): boolean =>
  ANY_DRAW_IDS.has(runnerId) || name === 'The Draw' || name === 'Draw';

const sidesOf = (definition: MarketDefinition): readonly string[] =>
  isHomeFirst(definition) ? ['h', 'a'] : ['a', 'h'];

function homeAway(definition: MarketDefinition, prefix = ''): Name {
  const sides = sidesOf(definition);
  return (_, place) => (sides[place] === undefined ? null : `${prefix}${sides[place]}`);
}

function homeAwayDraw(definition: MarketDefinition): Name {
  const names = [...sidesOf(definition), 'd'];
  return (runner, place) => (isDraw(runner) ? 'd' : (names[place] ?? null));
}

/** Betfair lists under before over. */
function overUnder(line: string): Name {
  return ({ name }, place) => {
    const word = (name ?? ['under', 'over'][place] ?? '').toLowerCase();
    if (word.startsWith('over')) return `over,${line}`;
    return word.startsWith('under') ? `under,${line}` : null;
  };
}

function yesNo(outcome: string): Name {
  return ({ name }, place) => {
    const word = (name ?? ['yes', 'no'][place] ?? '').toLowerCase();
    return word === 'yes' || word === 'no' ? `${outcome},${word}` : null;
  };
}

const oddEven: Name = ({ name }, place) => {
  const word = (name ?? ['odd', 'even'][place] ?? '').toLowerCase();
  return word === 'odd' || word === 'even' ? word : null;
};

/** Betfair's ids of the scores, which are the same in every correct score market. */
const SCORE_IDS: ReadonlyMap<number, string> = new Map(
  [
    '0,0',
    '1,0',
    '1,1',
    '0,1',
    '2,0',
    '2,1',
    '2,2',
    '1,2',
    '0,2',
    '3,0',
    '3,1',
    '3,2',
    '3,3',
    '2,3',
    '1,3',
    '0,3',
  ].map((score, at) => [at + 1, score]),
);

const correctScore: Name = ({ name, runnerId }) => {
  if (name === null) return scoreOf(SCORE_IDS.get(runnerId));
  const score = /^(\d+) ?- ?(\d+)$/.exec(name);
  return score === null ? null : `cs,${Number(score[1])},${Number(score[2])}`;
};

const scoreOf = (score: string | undefined): string | null => (score === undefined ? null : `cs,${score}`);

/** The exchange's line is in quarters and always the home team's. */
function asianHandicap(definition: MarketDefinition): Name {
  const { runners } = definition;
  const [first] = runners;
  const homeId = isHomeFirst(definition)
    ? first?.runnerId
    : runners.find(({ runnerId }) => runnerId !== first?.runnerId)?.runnerId;
  return ({ runnerId, handicap }) => {
    const isHome = runnerId === homeId;
    const quarters = quartersOf(isHome ? handicap : 0 - handicap);
    return quarters === null ? null : `ah,${isHome ? 'h' : 'a'},${quarters}`;
  };
}

const asianTotal: Name = ({ name, handicap }, place) => {
  const word = (name ?? ['under', 'over'][place % 2] ?? '').toLowerCase();
  const quarters = quartersOf(handicap);
  if (quarters === null || quarters < 1) return null;
  if (word.startsWith('over')) return `ahover,${quarters}`;
  return word.startsWith('under') ? `ahunder,${quarters}` : null;
};

function quartersOf(line: number): number | null {
  const quarters = Math.round(line * 4);
  // A line of minus zero has no spelling.
  return Math.abs(quarters - line * 4) < 1e-9 ? quarters + 0 : null;
}

/** `1 Goal or more` is over half a goal. */
const goalsOrMore: Name = ({ name }) => {
  const goals = /^(\d+) goals? or more$/i.exec(name ?? '');
  const least = Number(goals?.[1] ?? 0);
  return least < 1 ? null : `over,${least - 1}.5`;
};
