/** The worth of our fills around a surprise, at the fair prices that it left. */
import { profitOf, SELECTION_KINDS } from '../../src/domain/odds.ts';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { Incident } from '../../src/simulator/feeds/model/index.ts';

export const KINDS = ['goal', 'annulled goal', 'red card', 'suspension alone'] as const;
export type SurpriseKind = (typeof KINDS)[number];

/** An incident, or a suspension that nothing led to. Wall-clock milliseconds. */
export interface Surprise extends Pick<Incident, 'atMs' | 'announcedMs'> {
  readonly kind: SurpriseKind;
  /** Fair log-odds once all is known; null of an outcome that is not traded. */
  readonly fairOf: (outcome: string) => number | null;
}

/** The cost of a surprise in USDT; negative for a gain. */
export interface SurpriseLoss {
  readonly kind: SurpriseKind;
  /** Orders were open when it happened. */
  readonly isQuoted: boolean;
  /** The loss by fills between the surprise and the suspension. */
  readonly before: number;
  /** The loss by fills after the suspension, of orders from before it. */
  readonly after: number;
}

type InspectedFill = InspectedOrder['fills'][number];

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(0 - logOdds));

/** Expected. The outcomes are those that win or lose whole. */
function lossOf(order: InspectedOrder, fill: InspectedFill, fairOf: Surprise['fairOf']): number {
  const comma = order.betType.indexOf(',');
  const direction = DIRECTIONS.find((each) => each === order.betType.slice(0, comma));
  const fair = fairOf(order.betType.slice(comma + 1));
  if (direction === undefined || fair === null) return 0;
  const won = sigmoid(fair);
  const kind = order.priceKind ?? SELECTION_KINDS[direction];
  return 0 - profitOf(kind, fill.stakeMicros / 1e6, fill.price, { won, lost: 1 - won });
}

const isOpenAt = ({ createdMs, closedMs }: InspectedOrder, atMs: number): boolean =>
  createdMs <= atMs && (closedMs === null || closedMs > atMs);

/** Returns the cost of each surprise of a match, in their order. A fill after a suspension counts for the last surprise before it. */
export function lossesOf(surprises: readonly Surprise[], orders: readonly InspectedOrder[]): SurpriseLoss[] {
  return surprises.map(({ kind, atMs, announcedMs, fairOf }, at) => {
    const untilMs = surprises[at + 1]?.atMs ?? Infinity;
    const sumOf = (fromMs: number, toMs: number): number => {
      const placed = orders.filter(({ createdMs }) => createdMs < announcedMs);
      const losses = placed.flatMap((order) =>
        order.fills
          .filter((fill) => fill.atMs >= fromMs && fill.atMs < toMs)
          .map((fill) => lossOf(order, fill, fairOf)),
      );
      return losses.reduce((sum, loss) => sum + loss, 0);
    };
    return {
      kind,
      isQuoted: orders.some((order) => isOpenAt(order, atMs)),
      before: sumOf(atMs, announcedMs),
      after: sumOf(announcedMs, untilMs),
    };
  });
}

/** The kind of an incident, by the one before it. */
export function kindOf(
  { state }: Pick<Incident, 'state'>,
  before: Pick<Incident, 'state'> | null,
): SurpriseKind {
  const goals = (of: Incident['state']): number => (of.score?.[0] ?? 0) + (of.score?.[1] ?? 0);
  const earlier = before === null ? 0 : goals(before.state);
  if (goals(state) > earlier) return 'goal';
  return goals(state) < earlier ? 'annulled goal' : 'red card';
}
