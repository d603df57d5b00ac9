/**
 * The fills of other scenarios that correspond to a fill. Scenarios run one by one, and a fill changes the position and the next
 * quotes. So an order of one scenario may not exist in another; orders are the same if selection, side, price and the instant at
 * which they began to rest are.
 */
import type { Scenario } from '../../fills/fill-model.ts';
import type { ResearchFill, ScenarioResult } from '../result.ts';

/** Whether, and when, another scenario filled the same order. */
export interface Counterpart {
  readonly scenario: Scenario;
  /** `same`: at the same instant; `other-time`: the same order at another instant; `none`: never. */
  readonly when: 'same' | 'other-time' | 'none';
  /** Stake of the corresponding fills. */
  readonly stakeMicros: number;
  /** The first of them; null without. */
  readonly atMs: number | null;
}

/** Finds counterparts of fills. */
export type Counterparts = (fill: ResearchFill, of: Scenario) => Counterpart[];

/** Indexes the fills of all scenarios by order. */
export function counterpartsIn(scenarios: readonly ScenarioResult[]): Counterparts {
  const indexes = scenarios.map(({ scenario, fills }) => [scenario, Map.groupBy(fills, orderOf)] as const);
  return (fill, of) =>
    indexes
      .filter(([scenario]) => scenario !== of)
      .map(([scenario, orders]) => counterpartOf(scenario, fill, orders.get(orderOf(fill)) ?? []));
}

function counterpartOf(
  scenario: Scenario,
  { atMs }: ResearchFill,
  fills: readonly ResearchFill[],
): Counterpart {
  const same = fills.filter((other) => other.atMs === atMs);
  const found = same.length > 0 ? same : fills;
  const [first] = found;
  if (first === undefined) return { scenario, when: 'none', stakeMicros: 0, atMs: null };
  const stakeMicros = found.reduce((sum, other) => sum + other.stakeMicros, 0);
  return { scenario, when: same.length > 0 ? 'same' : 'other-time', stakeMicros, atMs: first.atMs };
}

/** Names the order of a fill. */
export const orderOf = ({ selectionId, direction, tick, restedFromMs }: ResearchFill): string =>
  `${selectionId} ${direction} ${tick} ${restedFromMs}`;
