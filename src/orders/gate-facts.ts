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

/** What only the placer knows of an order. */
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

/** Of an order about which there is nothing to say. */
const PLAIN: Known = {
  ...{ isWanted: true, repeats: null, pausedUntilMs: -Infinity, inFlight: 0 },
  ...{ hasMarket: true, foresight: 'all', namedBetslip: null },
};

/** What every order is judged by, at this instant. */
export const accountFacts = ({ deps, halts }: Desk, { heartbeat }: GateParts): AccountContext => ({
  nowMonotonicMs: deps.clock.monotonicMs(),
  halts: halts.inForce,
  heartbeat: heartbeat.proof,
});

/** What an order is judged by in one walk through the gate, at this instant. What costs something is found out when it is read. */
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
