import { GRID_SIZE, PUSH, type Settlement } from '../payoff.ts';
import {
  readInteger,
  type Rule,
  type ScoreReader,
  scoreRule,
  type ScoreRule,
  settleByQuarters,
  winIf,
} from './rule.ts';

/** A market family: returns the meaning of its arguments, or null if they do not parse. */
type Family = (args: readonly string[]) => Meaning | null;

interface Meaning {
  readonly marketType: string;
  readonly text: string;
  readonly decide: ScoreRule;
}

const HIGHEST_SCORE = GRID_SIZE - 1;
/** The grid reaches no line beyond these limits. */
const LARGEST_HANDICAP = 4 * GRID_SIZE;
const LARGEST_TOTAL = 2 * HIGHEST_SCORE + 1;

const TEAMS: ReadonlyMap<string, string> = new Map([
  ['h', 'Home'],
  ['a', 'Away'],
]);
const RESULT: Readonly<Record<string, string>> = { h: 'Home', d: 'Draw', a: 'Away' };
const DOUBLE_CHANCES = ['h,d', 'h,a', 'd,a'];

const resultOf = (home: number, away: number): string => (home > away ? 'h' : home < away ? 'a' : 'd');

const asQuarters = (line: number): string => `${line > 0 ? '+' : ''}${line / 4}`;

/** Home, draw or away: three names without arguments. */
function matchResult(which: string): Family {
  return (args) =>
    args.length === 0
      ? { marketType: 'wdw', text: RESULT[which] ?? which, decide: (h, a) => winIf(resultOf(h, a) === which) }
      : null;
}

const doubleChance: Family = (args) => {
  if (!DOUBLE_CHANCES.includes(args.join(','))) return null;
  const text = `Double chance: ${args.map((arg) => RESULT[arg]).join(' or ')}`;
  return { marketType: 'dc', text, decide: (h, a) => winIf(args.includes(resultOf(h, a))) };
};

const drawNoBet: Family = ([team = '', ...rest]) => {
  const name = TEAMS.get(team);
  if (name === undefined || rest.length > 0) return null;
  const decide: ScoreRule = (h, a) => (h === a ? PUSH : winIf(resultOf(h, a) === team));
  return { marketType: 'dnb', text: `Draw no bet: ${name}`, decide };
};

/** European total: whole and half lines, written as decimal numbers. */
function total(over: boolean): Family {
  return ([text = '', ...rest]) => {
    const line = /^(0|[1-9]\d?)(\.5)?$/.test(text) ? Number(text) : 0;
    if (line <= 0 || line > LARGEST_TOTAL || rest.length > 0) return null;
    return {
      marketType: 'ou',
      text: `${over ? 'Over' : 'Under'} ${line}`,
      decide: decideTotal(over, line * 4),
    };
  };
}

/** Asian total: the line is in quarters. */
function asianTotal(over: boolean): Family {
  return ([text, ...rest]) => {
    const line = readInteger(text, 1, 4 * LARGEST_TOTAL);
    if (line === null || rest.length > 0) return null;
    const name = `Asian ${over ? 'over' : 'under'} ${line / 4}`;
    return { marketType: 'ahou', text: name, decide: decideTotal(over, line) };
  };
}

function decideTotal(over: boolean, lineQuarters: number): ScoreRule {
  const sign = over ? 1 : -1;
  return (h, a) => settleByQuarters(sign * (4 * (h + a) - lineQuarters));
}

/** The line is in quarters and always the home team's, also if the away team is backed (published facts, Bet types). */
const asianHandicap: Family = ([team = '', text, ...rest]) => {
  const line = readInteger(text, -LARGEST_HANDICAP, LARGEST_HANDICAP);
  const name = TEAMS.get(team);
  if (line === null || name === undefined || rest.length > 0) return null;
  const sign = team === 'h' ? 1 : -1;
  const decide: ScoreRule = (h, a) => settleByQuarters(sign * (4 * (h - a) + line));
  // A line of 0 must not print as -0 for the away team.
  return { marketType: 'ah', text: `Asian handicap: ${name} ${asQuarters(sign * line + 0)}`, decide };
};

const correctScore: Family = ([homeText, awayText, ...rest]) => {
  const home = readInteger(homeText, 0, HIGHEST_SCORE);
  const away = readInteger(awayText, 0, HIGHEST_SCORE);
  if (home === null || away === null || rest.length > 0) return null;
  const decide: ScoreRule = (h, a) => winIf(h === home && a === away);
  return { marketType: 'cs', text: `Correct score ${home}-${away}`, decide };
};

interface Scorer {
  readonly text: string;
  scored(home: number, away: number): boolean;
}

const SCORERS: ReadonlyMap<string, Scorer> = new Map([
  ['both', { text: 'Both teams', scored: (h: number, a: number) => h > 0 && a > 0 }],
  ['h', { text: 'Home', scored: (h: number) => h > 0 }],
  ['a', { text: 'Away', scored: (_h: number, a: number) => a > 0 }],
]);

const toScore: Family = ([scorerCode = '', answer = '', ...rest]) => {
  const scorer = SCORERS.get(scorerCode);
  if (scorer === undefined || (answer !== 'yes' && answer !== 'no') || rest.length > 0) return null;
  const decide: ScoreRule = (h, a) => winIf(scorer.scored(h, a) === (answer === 'yes'));
  return { marketType: 'score', text: `${scorer.text} to score: ${answer}`, decide };
};

function parity(remainder: 0 | 1): Family {
  const text = remainder === 1 ? 'Odd total' : 'Even total';
  return (args) =>
    args.length === 0 ? { marketType: 'oe', text, decide: (h, a) => winIf((h + a) % 2 === remainder) } : null;
}

const exactTotal: Family = ([text, ...rest]) => {
  const goals = readInteger(text, 0, 2 * HIGHEST_SCORE);
  if (goals === null || rest.length > 0) return null;
  return {
    marketType: 'exact_total',
    text: `Exactly ${goals} in total`,
    decide: (h, a) => winIf(h + a === goals),
  };
};

const NO_WINNER: Meaning = { marketType: 'wm', text: 'No winner', decide: (h, a) => winIf(h === a) };

/** Grammar: `wm,h,<least>,<most or inf>`, the same for `a`, and `wm,d`. Both bounds are included. */
const winningMargin: Family = (args) => {
  if (args.join(',') === 'd') return NO_WINNER;
  const [team = '', leastText, mostText, ...rest] = args;
  const least = readInteger(leastText, 1, HIGHEST_SCORE);
  const most = mostText === 'inf' ? Infinity : readInteger(mostText, least ?? 1, HIGHEST_SCORE);
  const name = TEAMS.get(team);
  if (least === null || most === null || name === undefined || rest.length > 0) return null;
  const decide = decideMargin(team === 'h' ? 1 : -1, least, most);
  return { marketType: 'wm', text: `${name} to win by ${rangeText(least, most)}`, decide };
};

function decideMargin(sign: number, least: number, most: number): ScoreRule {
  return (h, a): Settlement => winIf(sign * (h - a) >= least && sign * (h - a) <= most);
}

function rangeText(least: number, most: number): string {
  if (most === Infinity) return `${least} or more`;
  return least === most ? `${least}` : `${least} to ${most}`;
}

const cleanSheet: Family = ([team = '', ...rest]) => {
  const name = TEAMS.get(team);
  if (name === undefined || rest.length > 0) return null;
  const decide: ScoreRule = (h, a) => winIf((team === 'h' ? a : h) === 0);
  return { marketType: 'clean', text: `${name} to keep a clean sheet`, decide };
};

const FAMILIES = new Map<string, Family>([
  ['h', matchResult('h')],
  ['d', matchResult('d')],
  ['a', matchResult('a')],
  ['dc', doubleChance],
  ['dnb', drawNoBet],
  ['over', total(true)],
  ['under', total(false)],
  ['ahover', asianTotal(true)],
  ['ahunder', asianTotal(false)],
  ['ah', asianHandicap],
  ['cs', correctScore],
  ['score', toScore],
  ['odd', parity(1)],
  ['even', parity(0)],
  ['exact_total', exactTotal],
  ['wm', winningMargin],
  ['clean', cleanSheet],
]);

/** The rule of a football outcome (the published grammar), null if the outcome does not parse. */
export function footballRule(outcome: string, read: ScoreReader): Rule | null {
  const [family = '', ...args] = outcome.split(',');
  const meaning = FAMILIES.get(family)?.(args) ?? null;
  return meaning === null ? null : scoreRule(meaning.marketType, meaning.text, read, meaning.decide);
}
