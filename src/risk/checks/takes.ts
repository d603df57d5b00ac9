import { fromMicros, type Micros, toMicros } from '../../domain/money.ts';
import { liabilityMicros, winMicros } from '../../domain/odds.ts';
import type { Bet } from '../exposure/payoffs.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type OrderCheck, type OrderContext, refusal } from './context.ts';

/** Limits on takes that do not certainly reduce the risk of their event. A hedge passes them. */
export function takeLimits(limits: RiskLimits): readonly OrderCheck[] {
  const { eventUsdt, hourUsdt, minEdge } = limits.take;
  return [
    ofSpeculation(amount('take_event', 'on the event', eventUsdt, ({ takenMicros: { event } }) => event)),
    ofSpeculation(amount('take_hour', 'of the last hour', hourUsdt, ({ takenMicros: { hour } }) => hour)),
    ofSpeculation(edge(minEdge)),
  ];
}

const ofSpeculation =
  (check: OrderCheck): OrderCheck =>
  (context) =>
    context.order.take === undefined || context.exposure.reduces ? null : check(context);

function amount(
  code: 'take_event' | 'take_hour',
  where: string,
  limit: number,
  takenOf: (context: OrderContext) => Micros,
): OrderCheck {
  const limitMicros = toMicros(limit);
  return (context) => {
    const micros = takenOf(context) + context.liabilityMicros;
    if (micros <= limitMicros) return null;
    return refusal(code, `what takes ${where} may lose would pass its limit`, fromMicros(micros), limit);
  };
}

function edge(least: number): OrderCheck {
  return ({ order, bet }) => {
    const fair = order.take?.fairProbability ?? null;
    if (fair === null) return refusal('take_edge', 'the take names no fair probability', null, least);
    const actual = edgeOf(bet, fair);
    return actual >= least
      ? null
      : refusal('take_edge', 'the take has too little edge by its own fair probability', actual, least);
  };
}

/** Expected profit for each USDT that the bet may lose, before commission, if the selection wins with this probability. */
export function edgeOf({ direction, priceKind, price, stakeMicros }: Bet, fair: number): number {
  const won = direction === 'for' ? fair : 1 - fair;
  const loss = liabilityMicros(priceKind, stakeMicros, price);
  return (won * winMicros(priceKind, stakeMicros, price) - (1 - won) * loss) / loss;
}
