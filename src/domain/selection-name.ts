import type { SportEvent } from './events.ts';

/** The names of an event's teams. An empty name is not known. */
export type Participants = Pick<SportEvent, 'home' | 'away' | 'teams'>;

/** Names one outcome of a market family; null when its arguments are not of the family. */
type Namer = (args: readonly string[], who: Participants) => string | null;

/**
 * The name of a selection for people, such as `Arsenal`, `Draw`, `Over 2.5` or `Arsenal -0.25`. It follows the published grammar
 * of bet types (published facts, Bet types). An outcome outside this grammar is its own name. The name is for display:
 * no decision may depend on it, because the exchange's strings are opaque.
 */
export function selectionName(outcome: string, who: Participants): string {
  const [family = '', ...args] = outcome.split(',');
  return NAMERS.get(family)?.(args, who) ?? outcome;
}

/** Nobody is known: teams are called home and away. */
const NOBODY: Participants = { home: '', away: '', teams: [] };

/** The names of the teams in an event's own name, such as `Arsenal v Chelsea`, for an event that is no longer described. */
export function participantsIn(title: string): Participants {
  const [, home, away] = /^(.+?) (?:v|vs\.?|-) (.+)$/.exec(title) ?? [];
  return home === undefined || away === undefined ? NOBODY : { home, away, teams: [] };
}

/** The name of a selection with its event's: it is unique, and commands take it. */
export const fullSelectionName = (title: string, name: string): string => `${title}: ${name}`;

/** A team by its token in the grammar: `h` or `a`; null for any other. */
function teamOf(token: string | undefined, { home, away }: Participants): string | null {
  if (token === 'h') return home === '' ? 'Home' : home;
  if (token === 'a') return away === '' ? 'Away' : away;
  return null;
}

const resultOf = (token: string, who: Participants): string | null =>
  token === 'd' ? 'Draw' : teamOf(token, who);

const isWhole = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);

/** A family without arguments. */
const fixed =
  (name: (who: Participants) => string | null): Namer =>
  (args, who) =>
    args.length === 0 ? name(who) : null;

const doubleChance: Namer = (args, who) => {
  const names = args.map((token) => resultOf(token, who));
  return names.length === 2 && !names.includes(null) ? names.join(' or ') : null;
};

/** A family whose only argument is a team. */
const ofTeam =
  (name: (team: string) => string): Namer =>
  ([token, ...rest], who) => {
    const team = rest.length === 0 ? teamOf(token, who) : null;
    return team === null ? null : name(team);
  };

const total =
  (side: string): Namer =>
  ([line = '', ...rest]) =>
    rest.length === 0 && /^\d+(\.\d+)?$/.test(line) ? `${side} ${line}` : null;

/** The line is in quarters. A European total can have the same line, so the name tells them apart. */
const asianTotal =
  (side: string): Namer =>
  ([quarters, ...rest]) =>
    rest.length === 0 && isWhole(quarters) ? `${side} ${Number(quarters) / 4} (Asian)` : null;

/** The line is in quarters and always the home team's; people read each team's own. */
const handicap: Namer = ([token, quarters = '', ...rest], who) => {
  const team = teamOf(token, who);
  if (team === null || rest.length > 0 || !/^-?\d+$/.test(quarters)) return null;
  const line = (Number(quarters) * (token === 'h' ? 1 : -1)) / 4;
  return `${team} ${line > 0 ? '+' : ''}${line === 0 ? 0 : line}`;
};

const correctScore: Namer = ([home, away, ...rest]) =>
  rest.length === 0 && isWhole(home) && isWhole(away) ? `Correct score ${home}-${away}` : null;

const toScore: Namer = ([token, answer, ...rest], who) => {
  if (rest.length > 0 || (answer !== 'yes' && answer !== 'no')) return null;
  const scorer = token === 'both' ? 'Both teams' : teamOf(token, who);
  if (scorer === null) return null;
  return token === 'both' && answer === 'no'
    ? 'Not both teams to score'
    : `${scorer} ${answer === 'no' ? 'not ' : ''}to score`;
};

const exactTotal: Namer = ([goals, ...rest]) =>
  rest.length === 0 && isWhole(goals) ? `Exactly ${goals} in total` : null;

/** Both bounds are included; `inf` is no upper bound. */
const winningMargin: Namer = ([token, least, most, ...rest], who) => {
  if (token === 'd' && least === undefined) return 'No winner';
  const team = teamOf(token, who);
  if (team === null || rest.length > 0 || !isWhole(least)) return null;
  if (most === 'inf') return `${team} by ${least} or more`;
  if (!isWhole(most)) return null;
  return `${team} by ${least === most ? least : `${least} to ${most}`}`;
};

const runnerOf = (id: string | undefined, { teams }: Participants): string | null =>
  isWhole(id) ? teams.find(({ teamId }) => teamId === Number(id))?.name || `Runner ${id}` : null;

const winner: Namer = ([id, ...rest], who) => (rest.length === 0 ? runnerOf(id, who) : null);

const place: Namer = ([places, id, ...rest], who) => {
  const runner = rest.length === 0 && isWhole(places) ? runnerOf(id, who) : null;
  return runner === null ? null : `${runner} in the top ${places}`;
};

/** The inner market as it stands from a score on. */
const fromScore: Namer = ([home, away, ...inner], who) => {
  const [family = '', ...args] = inner;
  if (!isWhole(home) || !isWhole(away) || family === 'ir') return null;
  const name = NAMERS.get(family)?.(args, who) ?? null;
  return name === null ? null : `${name} (from ${home}-${away})`;
};

const NAMERS: ReadonlyMap<string, Namer> = new Map<string, Namer>([
  ['h', fixed((who) => teamOf('h', who))],
  ['d', fixed(() => 'Draw')],
  ['a', fixed((who) => teamOf('a', who))],
  ['dc', doubleChance],
  ['dnb', ofTeam((team) => `${team} (draw no bet)`)],
  ['over', total('Over')],
  ['under', total('Under')],
  ['ahover', asianTotal('Over')],
  ['ahunder', asianTotal('Under')],
  ['ah', handicap],
  ['ir', fromScore],
  ['cs', correctScore],
  ['score', toScore],
  ['odd', fixed(() => 'Odd total')],
  ['even', fixed(() => 'Even total')],
  ['exact_total', exactTotal],
  ['wm', winningMargin],
  ['clean', ofTeam((team) => `${team} to keep a clean sheet`)],
  ['win', winner],
  ['top', place],
]);
