import type { SelectionId } from '../domain/ids.ts';
import { type Direction, DIRECTIONS } from '../domain/selection.ts';
import { groupOf, WAIT_FOR_BETSLIPS } from './reason-words.ts';

/** How many of the chosen selections are quoted, and what the others wait for. Numbers of selections. */
export interface Readiness {
  /** Selections that the configuration wants quoted. */
  readonly wanted: number;
  /** Of these, with a confirmed order on each side on which the strategy wants one. */
  readonly quoted: number;
  /** What the others wait for, the commonest first. The counts and `quoted` add up to `wanted`. */
  readonly waiting: readonly Waiting[];
  /** Whether a smaller share is quoted than `universe.minQuotedRatio`. */
  readonly isShort: boolean;
}

/** A group of selections that wait for the same. */
export interface Waiting {
  /** Words that follow a count above one: `wait for betslips`. */
  readonly why: string;
  readonly count: number;
}

/** Per selection: the sides with a confirmed order, and why a side is not quoted as `touchline why` names it. */
export interface SelectionSides {
  readonly isQuoted: (id: SelectionId, direction: Direction) => boolean;
  readonly reasonOf: (id: SelectionId) => Readonly<Record<Direction, string | null>>;
}

/** A selection with an order on one side, and none on the other one, which is wanted, too. */
const ONE_SIDE = 'quoted on one side';

/** The side is not quoted because the strategy wants nothing there. */
const NO_QUOTE = 'strategy.no_quote';

/** The group of reasons that hold until a person ends them. */
const STOPPED = 'stopped';

/** The readiness of the chosen selections. `blocked` is the reason why no order can be placed at all; null if there is none. */
export function readinessOf(
  chosen: Iterable<SelectionId>,
  sides: SelectionSides,
  minQuotedRatio: number,
  blocked: string | null = null,
): Readiness {
  const stop = blocked === null ? null : stopInWords(blocked);
  const counts = new Map<string, number>();
  let [wanted, quoted] = [0, 0];
  for (const id of chosen) {
    wanted++;
    const unmet = waitsFor(id, sides);
    const why = unmet === null ? null : (stop ?? unmet);
    if (why === null) quoted++;
    else counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  const waiting = Array.from(counts, ([why, count]) => ({ why, count })).toSorted(
    (a, b) => b.count - a.count || (a.why < b.why ? -1 : 1),
  );
  return { wanted, quoted, waiting, isShort: quoted < minQuotedRatio * wanted };
}

/** `stopped: killed` for what a person has to end; null for what passes by itself, where the selections' own reasons tell more. */
function stopInWords(blocked: string): string | null {
  if (groupOf(blocked) !== STOPPED) return null;
  const [, by] = /^stopped: ([^:]+)/.exec(blocked) ?? [];
  return by === undefined ? STOPPED : `${STOPPED}: ${by}`;
}

/** What a selection waits for; null if it is quoted as its strategy wants. */
function waitsFor(id: SelectionId, { isQuoted, reasonOf }: SelectionSides): string | null {
  const open = DIRECTIONS.filter((direction) => isQuoted(id, direction));
  if (open.length === DIRECTIONS.length) return null;
  const reason = reasonOf(id);
  const missing = DIRECTIONS.filter((direction) => !open.includes(direction));
  const [stopped] = missing.filter((direction) => reason[direction] !== NO_QUOTE);
  if (stopped !== undefined) return open.length === 0 ? groupOf(reason[stopped]) : ONE_SIDE;
  return open.length === 0 ? groupOf(NO_QUOTE) : null;
}

/** A line names at most this many groups. */
const GROUPS_SHOWN = 3;

/**
 * `40 wanted → 14 quoted: 18 wait for betslips, 6 event loop, 2 by strategy`. The counts add up. Selections that no strategy wants, or
 * that are stopped, are `4 chosen`.
 */
export function readinessInWords({ wanted, quoted, waiting }: Readiness): string {
  const shown = waiting.length > GROUPS_SHOWN + 1 ? waiting.slice(0, GROUPS_SHOWN) : waiting;
  const others = waiting.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  const groups = [
    ...shown.map(({ count, why }) => `${count} ${count === 1 ? why.replace(/^wait /, 'waits ') : why}`),
    ...(others === 0 ? [] : [`${others} for other reasons`]),
  ];
  const isWanted = quoted > 0 || waiting.length === 0 || waiting.some(({ why }) => !isUnwanted(why));
  const head = `${wanted} ${isWanted ? 'wanted' : 'chosen'} → ${quoted} quoted`;
  return groups.length === 0 ? head : `${head}: ${groups.join(', ')}`;
}

const isUnwanted = (why: string): boolean =>
  why === groupOf(NO_QUOTE) || why === STOPPED || why.startsWith(`${STOPPED}: `);

/** How many selections can be quoted on both sides all the time under a cap of open betslips: each side keeps one. */
export const carriedBy = (betslipCap: number): number => Math.floor(betslipCap / 2);

/** The same, with how many selections the cap carries where that is a reason. */
export function shortageInWords(readiness: Readiness, carries: number): string {
  const line = readinessInWords(readiness);
  const waits = readiness.waiting.some(({ why }) => why === WAIT_FOR_BETSLIPS || why === ONE_SIDE);
  return waits && carries < readiness.wanted ? `${line}; your cap carries about ${carries}` : line;
}
