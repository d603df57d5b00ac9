import type { BetslipId } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import { type ExchangeMode, modeOf } from '../../domain/orders.ts';
import type { PriceList } from '../../domain/price-list.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';
import { eventOfSelection } from '../../domain/selection.ts';
import type { CloseOut } from '../heartbeats/close-out.ts';
import type { HeartbeatKeeper } from '../heartbeats/keeper.ts';
import type { AccountContext, GateContext, GateLimits, HeartbeatProof } from '../gate-context.ts';
import type { PricedOrder } from '../would-match.ts';
import type { OrderContext } from '../state/context.ts';

/** An order to judge, with the facts that only its judge knows. */
export interface JudgedOrder extends Pick<
  GateContext,
  | 'isWanted'
  | 'repeats'
  | 'pausedUntilMs'
  | 'inFlight'
  | 'yields'
  | 'hasMarket'
  | 'foresight'
  | 'betslip'
  | 'namedBetslip'
  | 'risk'
  | 'take'
  | 'play'
> {
  readonly order: Pick<LiveOrder, 'selectionId' | 'direction' | 'priceKind' | 'tick' | 'stakeMicros'> &
    Pick<QuoteIntent, 'mode'>;
}

/** The proofs that no order of ours outlives us: the heartbeat, and the pause after a close-out. */
export interface AccountProof {
  readonly heartbeat: Pick<HeartbeatKeeper, 'proof' | 'reserveMs'>;
  readonly closeOut: Pick<CloseOut, 'admitsFromMs' | 'begun'>;
}

/** The facts for the checks that concern every order, at this instant. */
export class AccountFacts implements AccountContext {
  readonly nowMonotonicMs: number;
  readonly halts: AccountContext['halts'];
  readonly heartbeat: HeartbeatProof;

  constructor({ deps, halts }: OrderContext, { heartbeat }: AccountProof) {
    this.nowMonotonicMs = deps.clock.monotonicMs();
    this.halts = halts.inForce;
    this.heartbeat = heartbeat.proof;
  }
}

/** The facts for one walk through the gate, at this instant. Reading one changes nothing. A costly one is looked up when it is read. */
export class OrderFacts extends AccountFacts implements GateContext {
  readonly mode: ExchangeMode;
  readonly order: JudgedOrder['order'];
  readonly isWanted: boolean;
  readonly repeats: OrderState | null;
  readonly pausedUntilMs: number;
  readonly inFlight: number;
  readonly yields: boolean;
  readonly hasMarket: boolean;
  readonly foresight: GateContext['foresight'];
  readonly betslip: GateContext['betslip'];
  readonly namedBetslip: BetslipId | null;
  readonly risk: GateContext['risk'];
  readonly take: NonNullable<GateContext['take']> | null;
  readonly play: NonNullable<GateContext['play']> | null;
  readonly admittedFromMs: number;
  readonly limits: GateLimits;
  readonly #context: OrderContext;

  constructor(context: OrderContext, proof: AccountProof, judged: JudgedOrder) {
    super(context, proof);
    this.#context = context;
    this.take = judged.take ?? null;
    this.play = judged.play ?? null;
    this.mode = modeOf(judged.order);
    this.order = judged.order;
    this.isWanted = judged.isWanted;
    this.repeats = judged.repeats;
    this.pausedUntilMs = judged.pausedUntilMs;
    this.inFlight = judged.inFlight;
    this.yields = judged.yields;
    this.hasMarket = judged.hasMarket;
    this.foresight = judged.foresight;
    this.betslip = judged.betslip;
    this.namedBetslip = judged.namedBetslip;
    this.risk = judged.risk;
    this.admittedFromMs = proof.closeOut.admitsFromMs;
    this.limits = context.options;
  }

  get firstFill(): string | null {
    const hold = this.#context.heldKinds.get(this.order.priceKind);
    if (hold === undefined) return null;
    const event = eventOfSelection(this.order.selectionId);
    return event === null || hold.holds(event) ? hold.detail : null;
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
}
