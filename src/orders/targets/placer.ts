import type { TrackedOrder } from '../../account/orders.ts';
import type { Approved } from '../../domain/approval.ts';
import type { RequestUuid } from '../../domain/ids.ts';
import { modeOf, type PlaceOrder } from '../../domain/orders.ts';
import type { Priority } from '../../ports/venue.ts';
import type { BetslipAnswer } from '../betslips/answer.ts';
import { bodyHashOf } from '../journal/records.ts';
import { blockedBy, type Moment, type Obstacle, reasonCode } from '../send-gate.ts';
import { AnswerDeadline } from '../state/backoff.ts';
import type { OrderContext } from '../state/context.ts';
import { type CreateAnswers, OrderWithdrawn } from './create-answers.ts';
import type { AccountProof } from './gate-facts.ts';
import { type Judge, type MarketPlacing, NO_BETSLIP } from './judge.ts';
import type { StrategyTurns } from './strategy-turns.ts';

/**
 * After a journal write longer than this, prices and heartbeat are older than when they were judged: the
 * order is judged again.
 */
const LONG_WRITE_MS = 250;

interface Sending {
  /** The request repeats an earlier one whose outcome is unknown. */
  readonly repeat: boolean;
  readonly priority: Priority;
}

/** Takes a wanted quote with its betslip to the exchange: approval, journal, request, answer. */
export class Placer {
  readonly #context: OrderContext;
  readonly #judge: Judge;
  readonly #proof: AccountProof;
  readonly #turns: StrategyTurns;
  readonly #answers: CreateAnswers;
  readonly #approved = new Map<RequestUuid, Approved<PlaceOrder>>();
  /** The deadlines of first requests, until each is answered. */
  readonly #answerDeadline = new Map<TrackedOrder, AnswerDeadline>();

  constructor(
    context: OrderContext,
    judge: Judge,
    proof: AccountProof,
    turns: StrategyTurns,
    answers: CreateAnswers,
  ) {
    [this.#context, this.#judge, this.#proof] = [context, judge, proof];
    [this.#turns, this.#answers] = [turns, answers];
  }

  /** Has the order approved if every other check passes, and sends it. Returns why not, or null when it has begun. */
  place(placing: MarketPlacing, betslip: BetslipAnswer): Obstacle | null {
    const obstacle = this.#judge.beforeApproval(placing, betslip);
    if (obstacle !== null) return obstacle;
    const body = this.#judge.orderOf(placing, betslip.ok ? betslip.betslip.id : NO_BETSLIP);
    // Ask before the approval, which already counts the order itself.
    const reduces = this.#context.deps.risk.reduces(body);
    const priority = reduces ? 'reducing' : 'normal';
    const result = this.#context.deps.risk.approve(
      body.take === undefined ? body : { ...body, take: { ...body.take, reduces } },
    );
    if (!result.ok) return blockedBy('risk', result.refusals[0]?.code ?? 'refused');
    this.#begin(placing, result.order, priority);
    return null;
  }

  /**
   * Withdraws an order whose request has not been sent. The request could otherwise wait for its budget for a
   * long time.
   */
  withdraw(tracked: TrackedOrder): void {
    if (tracked.order.state === 'prepared') this.#answerDeadline.get(tracked)?.giveUp();
  }

  /**
   * Repeats a request of unknown outcome under the same request_uuid. Returns whether it has begun.
   *
   * The first approval remains valid: at most one order can result of both requests, and it has counted in
   * exposure all along. The current prices and limits are checked as for a first request, because that one
   * may not have landed.
   */
  repeat(tracked: TrackedOrder): boolean {
    const approved = this.#approved.get(tracked.order.requestUuid);
    // An approval by risk is valid only in the run that asked for it.
    if (approved === undefined) return false;
    if (this.#judge.beforeSending('send', tracked, approved, true) !== null) return false;
    this.#send(tracked, approved, { repeat: true, priority: 'normal' });
    return true;
  }

  #begin(placing: MarketPlacing, approved: Approved<PlaceOrder>, priority: Priority): void {
    this.#proof.closeOut.begun();
    const tracked = this.#track(placing, approved);
    this.#context.book.add(tracked, 'intent');
    this.#send(tracked, approved, { repeat: false, priority });
  }

  #track({ key, intent }: MarketPlacing, place: PlaceOrder): TrackedOrder {
    const { requestUuid, betslipId, sport, eventId, betType, priceKind, stakeMicros, take } = place;
    const { selectionId, direction, tick } = intent;
    return {
      owner: 'own',
      order: {
        requestUuid,
        betslipId,
        sport,
        eventId,
        betType,
        selectionId,
        direction,
        priceKind,
        tick,
        stakeMicros,
        mode: modeOf(intent),
        ...(take !== undefined && { take }),
        orderId: null,
        filledMicros: 0,
        state: 'prepared',
        expiryMs: null,
        closeReason: null,
        createdMonotonicMs: this.#context.deps.clock.monotonicMs(),
      },
      place,
      key,
      lapsesMonotonicMs: null,
      sentMonotonicMs: null,
      closeWanted: false,
      closedMs: null,
      recovered: false,
      intent,
    };
  }

  #send(tracked: TrackedOrder, approved: Approved<PlaceOrder>, { repeat, priority }: Sending): void {
    const { requestUuid } = tracked.order;
    this.#approved.set(requestUuid, approved);
    const endTurn = this.#turns.begin(this.#context.owners.of(approved));
    const answerDeadline = new AnswerDeadline(this.#context.deps.clock);
    if (!repeat) this.#answerDeadline.set(tracked, answerDeadline);
    const over = (): void => {
      endTurn();
      if (!repeat) this.#answerDeadline.delete(tracked);
      answerDeadline.end();
    };
    const beforeSend = (): void => {
      this.#beforeSend(tracked, approved, repeat);
      answerDeadline.begin(this.#proof.heartbeat.reserveMs);
    };
    // Connecting may take seconds: meanwhile a kill may have come, or prices may have moved.
    const whenConnected = (): void => this.#judgeAgain('connected', tracked, approved, repeat);
    const value = this.#turns.worthOf(tracked.intent?.valueMicrosPerS ?? 0);
    const options = { beforeSend, whenConnected, value, priority, signal: answerDeadline.signal };
    this.#context.queue.call(
      () => this.#context.deps.venue.placeOrder(approved, options),
      (order) => {
        over();
        if (this.#answers.answered(tracked, order)) this.#approved.delete(requestUuid);
      },
      (error) => {
        over();
        if (this.#answers.failed(tracked, error, repeat)) this.#approved.delete(requestUuid);
      },
    );
  }

  /**
   * Runs at the last instant before the first byte: judges everything again, then makes the order durable in
   * the journal. Throws OrderWithdrawn or JournalError to send nothing.
   */
  #beforeSend(tracked: TrackedOrder, approved: Approved<PlaceOrder>, repeat: boolean): void {
    this.#judgeAgain('send', tracked, approved, repeat);
    const { clock } = this.#context.deps;
    const judgedMs = clock.monotonicMs();
    const { requestUuid, selectionId, direction, tick, mode } = tracked.order;
    const { place, key } = tracked;
    this.#context.journalWriter.commit({
      kind: 'order_intended',
      uuid: requestUuid,
      place,
      key,
      selectionId,
      direction,
      tick,
      repeat,
      mode,
      owner: this.#context.owners.of(place),
      bodyHash: bodyHashOf(place),
    });
    tracked.sentMonotonicMs = clock.monotonicMs();
    tracked.lapsesMonotonicMs = tracked.sentMonotonicMs + place.durationS * 1000;
    if (tracked.sentMonotonicMs - judgedMs > LONG_WRITE_MS)
      this.#judgeAgain('send', tracked, approved, repeat);
    this.#context.book.apply(tracked, 'send', {}, 'send');
  }

  /** Throws OrderWithdrawn, so that nothing is sent, if a check refuses the order now. */
  #judgeAgain(
    moment: Extract<Moment, 'connected' | 'send'>,
    tracked: TrackedOrder,
    approved: Approved<PlaceOrder>,
    repeat: boolean,
  ): void {
    const obstacle = this.#judge.beforeSending(moment, tracked, approved, repeat);
    if (obstacle !== null) throw new OrderWithdrawn(reasonCode(obstacle));
  }
}
