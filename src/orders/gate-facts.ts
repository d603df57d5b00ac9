import { modeOf } from '../domain/exchange-mode.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { BetslipAnswer } from './betslip-answer.ts';
import type { CloseOut } from './close-out.ts';
import type { Desk } from './desk.ts';
import type { HeartbeatKeeper } from './heartbeat.ts';
import type { PricedOrder } from './post-only.ts';
import type { AccountContext, GateContext, RiskVerdict } from './send-gate.ts';

export interface GateParts {
  readonly heartbeat: Pick<HeartbeatKeeper, 'proof'>;
  readonly closeOut: Pick<CloseOut, 'admitsFromMs'>;
}

/** The facts that only the placer knows. */
type Known = Pick<
  GateContext,
  'isWanted' | 'repeats' | 'pausedUntilMs' | 'inFlight' | 'hasMarket' | 'foresight' | 'namedBetslip'
>;

/** The order that is judged. */
export interface JudgedOrder<Verdict extends RiskVerdict = RiskVerdict> extends Partial<Known> {
  readonly order: Pick<LiveOrder, 'selectionId' | 'direction' | 'tick' | 'stakeMicros'> &
    Pick<QuoteIntent, 'mode'>;
  /** Asked at most once in a walk: it may ask the exchange for a betslip. */
  readonly betslip: () => BetslipAnswer;
  /** Asked at most once in a walk: it may be an approval. */
  readonly risk: () => Verdict;
}

/** The facts of an order when the placer names no others. */
const PLAIN: Known = {
  ...{ isWanted: true, repeats: null, pausedUntilMs: -Infinity, inFlight: 0 },
  ...{ hasMarket: true, foresight: 'all', namedBetslip: null },
};

/** The facts for the checks that concern every order, at this instant. */
export const accountFacts = ({ deps, halts }: Desk, { heartbeat }: GateParts): AccountContext => ({
  nowMonotonicMs: deps.clock.monotonicMs(),
  halts: halts.inForce,
  heartbeat: heartbeat.proof,
});

/** The facts for one walk through the gate, at this instant. A costly fact is found out when a check reads it. */
export function orderFacts<Verdict extends RiskVerdict>(
  desk: Desk,
  parts: GateParts,
  judged: JudgedOrder<Verdict>,
): GateContext & { readonly risk: Verdict } {
  const { order, betslip, risk, ...known } = judged;
  const { selectionId, direction } = order;
  const { prices } = desk.deps;
  const [betslipOnce, riskOnce] = [once(betslip), once(risk)];
  return {
    ...{ ...accountFacts(desk, parts), ...PLAIN, ...known, order },
    mode: modeOf(order),
    limits: desk.options,
    get betslip(): BetslipAnswer {
      return betslipOnce();
    },
    get market(): PriceList | null {
      return prices.marketOf(selectionId)[direction];
    },
    get offers(): PriceList | null {
      return prices.youngerOffersOf(selectionId)[direction];
    },
    get own(): readonly PricedOrder[] {
      return ownOn(desk, selectionId);
    },
    get admittedFromMs(): number {
      return parts.closeOut.admitsFromMs;
    },
    get risk(): Verdict {
      return riskOnce();
    },
  };
}

const ownOn = ({ book }: Desk, selectionId: SelectionId): readonly PricedOrder[] =>
  Array.from(book.active(), ({ order }) => order).filter((order) => order.selectionId === selectionId);

function once<T extends object>(ask: () => T): () => T {
  let answer: T | null = null;
  return () => (answer ??= ask());
}
