/** Who plays at home. */
import type { MarketDefinition, RunnerDefinition } from './definition.ts';

export interface Roles {
  readonly home: RunnerDefinition;
  readonly away: RunnerDefinition;
  /** Names of the runners, else of the match; null where the file has neither. */
  readonly homeName: string | null;
  readonly awayName: string | null;
}

const AT = ' @ ';

/** The two names of a match, home first: `Home v Away`, or `Away @ Home`. */
function namesIn(eventName: string): readonly [home: string | null, away: string | null] {
  const [before = null, after = null] = eventName.split(eventName.includes(AT) ? AT : ' v ');
  if (after === null) return [null, null];
  return eventName.includes(AT) ? [after, before] : [before, after];
}

/** Betfair lists runners in the order of the match's name, so that a name `Away @ Home` lists home last, unless the runners' names say otherwise. */
export function isHomeFirst({ eventName, runners }: MarketDefinition): boolean {
  if (!eventName.includes(AT)) return true;
  const first = runners[0]?.name ?? null;
  return first !== null && first === namesIn(eventName)[0];
}

/** Home and away of a market that lists both first: match odds, or a handicap. Null for other markets. */
export function rolesOf(definition: MarketDefinition): Roles | null {
  const { marketType, runners, eventName } = definition;
  const [first] = runners;
  const second = runners.find(({ runnerId }) => runnerId !== first?.runnerId);
  if (!TEAM_MARKETS.has(marketType) || first === undefined || second === undefined) return null;
  const [home, away] = isHomeFirst(definition) ? [first, second] : [second, first];
  const [homeName, awayName] = namesIn(eventName);
  return { home, away, homeName: home.name ?? homeName, awayName: away.name ?? awayName };
}

const TEAM_MARKETS: ReadonlySet<string> = new Set([
  'MATCH_ODDS',
  'MONEY_LINE',
  'ASIAN_HANDICAP',
  'DRAW_NO_BET',
]);
