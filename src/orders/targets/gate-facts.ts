import type { BetslipId } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import { type ExchangeMode, modeOf } from '../../domain/orders.ts';
import type { PriceList } from '../../domain/price-list.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';
import type { BetslipAnswer } from '../betslips/budgets.ts';
import type { CloseOut } from '../heartbeats/close-out.ts';
import type { HeartbeatKeeper } from '../heartbeats/keeper.ts';
import type {
  AccountContext,
  GateContext,
  GateLimits,
  HeartbeatProof,
  PricedOrder,
  RiskVerdict,
} from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';

export interface GateParts {
  readonly heartbeat: Pick<HeartbeatKeeper, 'proof'>;
  readonly closeOut: Pick<CloseOut, 'admitsFromMs'>;
}

/** An order to judge, with the facts that only the placer knows. */
export interface JudgedOrder<Verdict extends RiskVerdict = RiskVerdict> extends Pick<
  GateContext,
  'isWanted' | 'repeats' | 'pausedUntilMs' | 'inFlight' | 'hasMarket' | 'foresight' | 'namedBetslip'
> {
  /** Whether another strategy goes first. */
  readonly yields: () => boolean;
  readonly order: Pick<LiveOrder, 'selectionId' | 'direction' | 'priceKind' | 'tick' | 'stakeMicros'> &
    Pick<QuoteIntent, 'mode'>;
  /** Called at most once in a walk, since it may request a betslip from the exchange. */
  readonly betslip: () => BetslipAnswer;
  /** Called at most once in a walk, since it may approve the order. */
  readonly risk: () => Verdict;
}

/** The facts for the checks that concern every order, at this instant. */
export class AccountFacts implements AccountContext {
  readonly nowMonotonicMs: number;
  readonly halts: AccountContext['halts'];
  readonly heartbeat: HeartbeatProof;

  constructor({ deps, halts }: OrderContext, { heartbeat }: GateParts) {
    this.nowMonotonicMs = deps.clock.monotonicMs();
    this.halts = halts.inForce;
    this.heartbeat = heartbeat.proof;
  }
}

/** The facts for one walk through the gate, at this instant. A costly fact is computed when a check first reads it. */
export class OrderFacts<Verdict extends RiskVerdict> extends AccountFacts implements GateContext {
  readonly mode: ExchangeMode;
  readonly order: JudgedOrder['order'];
  readonly isWanted: boolean;
  readonly repeats: OrderState | null;
  readonly pausedUntilMs: number;
  readonly inFlight: number;
  readonly hasMarket: boolean;
  readonly foresight: GateContext['foresight'];
  readonly namedBetslip: BetslipId | null;
  readonly limits: GateLimits;
  readonly #context: OrderContext;
  readonly #parts: GateParts;
  readonly #judged: JudgedOrder<Verdict>;
  #betslip: BetslipAnswer | null = null;
  #risk: Verdict | null = null;

  constructor(context: OrderContext, parts: GateParts, judged: JudgedOrder<Verdict>) {
    super(context, parts);
    [this.#context, this.#parts, this.#judged] = [context, parts, judged];
    this.mode = modeOf(judged.order);
    this.order = judged.order;
    this.isWanted = judged.isWanted;
    this.repeats = judged.repeats;
    this.pausedUntilMs = judged.pausedUntilMs;
    this.inFlight = judged.inFlight;
    this.hasMarket = judged.hasMarket;
    this.foresight = judged.foresight;
    this.namedBetslip = judged.namedBetslip;
    this.limits = context.options;
  }

  get yields(): boolean {
    return this.#judged.yields();
  }

  get betslip(): BetslipAnswer {
    this.#betslip ??= this.#judged.betslip();
    return this.#betslip;
  }

  get firstFill(): string | null {
    return this.#context.heldKinds.get(this.order.priceKind) ?? null;
  }

  get market(): PriceList | null {
    const { selectionId, direction } = this.order;
    return this.#context.deps.prices.marketOf(selectionId)[direction];
  }

  get offers(): PriceList | null {
    const { selectionId, direction } = this.order;
    return this.#context.deps.prices.youngerOffersOf(selectionId)[direction];
  }

  get own(): readonly PricedOrder[] {
    const { selectionId } = this.order;
    const active = Array.from(this.#context.book.active(), ({ order }) => order);
    return active.filter((order) => order.selectionId === selectionId);
  }

  get admittedFromMs(): number {
    return this.#parts.closeOut.admitsFromMs;
  }

  get risk(): Verdict {
    this.#risk ??= this.#judged.risk();
    return this.#risk;
  }
}
