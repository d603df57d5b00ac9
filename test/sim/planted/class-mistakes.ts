import { Account } from '../../../src/account/account.ts';
import { OrderBook } from '../../../src/account/orders.ts';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import { ClosingWatch } from '../../../src/engine/kill/kill-latch.ts';
import { Permit } from '../../../src/engine/kill/permit.ts';
import { Prices } from '../../../src/market/prices.ts';
import { BetslipCap } from '../../../src/orders/betslips/cap.ts';
import { BetslipPool } from '../../../src/orders/betslips/pool.ts';
import { CloseOut } from '../../../src/orders/heartbeats/close-out.ts';
import { HeartbeatKeeper } from '../../../src/orders/heartbeats/keeper.ts';
import { OrphanGuard } from '../../../src/orders/heartbeats/orphan-guard.ts';
import { Closing } from '../../../src/orders/outcomes/closing.ts';
import { ExecutionReports } from '../../../src/orders/outcomes/execution-reports.ts';
import { UnknownOutcomes } from '../../../src/orders/outcomes/unknown-outcomes.ts';
import type { HeartbeatProof } from '../../../src/orders/gate-context.ts';
import { BetBook } from '../../../src/account/bets.ts';
import { Halts } from '../../../src/orders/state/halts.ts';
import { type Planted, replace } from './planted.ts';

const absentFrom =
  (afterMs: number): (() => () => void) =>
  () =>
    replace(
      UnknownOutcomes.prototype,
      'absenceProvenFromMs',
      () =>
        ({ sentMonotonicMs }) =>
          (sentMonotonicMs ?? 0) + afterMs,
    );

/** A reason to halt that no part receives. */
const deafTo =
  (party: string): (() => () => void) =>
  () =>
    replace(
      Halts.prototype,
      'set',
      (set) =>
        function (this: Halts, who, reason) {
          if (who !== party) set.call(this, who, reason);
        },
    );

/** Every heartbeat gives this proof. */
function provenBy(keeper: HeartbeatKeeper, proof: HeartbeatProof): () => void {
  const original = Object.getOwnPropertyDescriptor(keeper, 'proof') as PropertyDescriptor;
  Object.defineProperty(keeper, 'proof', { ...original, get: () => proof });
  return () => void Object.defineProperty(keeper, 'proof', original);
}

/** The account receives the end of an order that has only reached this state. */
const overIn =
  (state: OrderState): (() => () => void) =>
  () =>
    replace(
      Account.prototype,
      'apply',
      (apply) =>
        function (this: Account, event) {
          const isOne = event.kind === 'order' && event.order.state === state;
          return apply.call(this, isOne ? { ...event, order: { ...event.order, state: 'closed' } } : event);
        },
    );

/** Mistakes inside the order manager and risk. */
export const IN_CLASSES: readonly Planted[] = [
  { name: 'not found taken as absent', patch: absentFrom(0) },
  { name: 'absent after a few tries', patch: absentFrom(3_000) },
  { name: 'sends before resync', patch: deafTo('resync') },
  { name: 'sends without a stream', patch: deafTo('stream') },
  { name: 'exposure freed on a close that was only sent', patch: overIn('closing') },
  { name: 'unknown orders do not count', patch: overIn('unknown') },
  {
    name: 'fills booked twice',
    patch: () => {
      const undo = [
        replace(BetBook.prototype, 'fillOf', () => () => null),
        replace(
          BetBook.prototype,
          'apply',
          (apply) =>
            function (this: BetBook, event) {
              const changes = apply.call(this, event);
              if (event.kind !== 'bet' || changes.length > 0) return changes;
              return [{ kind: 'booked', fill: event.fill, state: 'matched', isRecorded: false }];
            },
        ),
      ];
      return () => undo.forEach((each) => each());
    },
  },
  {
    name: 'fills of looked-up orders ignored',
    patch: () =>
      replace(
        ExecutionReports.prototype,
        'order',
        (apply) =>
          function (this: ExecutionReports, order, source, asked) {
            return apply.call(this, { ...order, bets: [] }, source, asked);
          },
      ),
  },
  {
    name: 'fills of the stream ignored once an order is over',
    patch: () => replace(ExecutionReports.prototype, 'bet', () => () => undefined),
  },
  {
    name: 'of the bets that wait for their order only the last is kept',
    patch: () =>
      replace(
        BetBook.prototype,
        'parkedOf',
        (parked) =>
          function (this: BetBook, orderId) {
            return parked.call(this, orderId).slice(-1);
          },
      ),
  },
  {
    name: 'foreign orders ignored',
    patch: () => replace(OrderBook.prototype, 'show', () => () => null),
  },
  {
    name: 'prices of an earlier connection used',
    patch: () => {
      const undo = [
        replace(
          Prices.prototype,
          'offerFreshness',
          (judge) =>
            function (this: Prices, market, at) {
              return judge.call(this, market, { ...at, epoch: market.sighting.epoch });
            },
        ),
        replace(
          Prices.prototype,
          'quoteFreshness',
          (judge) =>
            function (this: Prices, market, at) {
              return judge.call(this, market, { ...at, epoch: market.quote?.epoch ?? at.epoch });
            },
        ),
        replace(BetslipPool.prototype, 'onStreamBack', () => () => undefined),
      ];
      return () => undo.forEach((each) => each());
    },
  },
  {
    name: 'everything quoted again at once after a close-out',
    patch: () => replace(CloseOut.prototype, 'begin', () => () => undefined),
  },
  {
    name: 'betslip cap never learned',
    patch: () => replace(BetslipCap.prototype, 'refusedAt', () => () => undefined),
  },
  {
    name: 'sends without proof of a heartbeat',
    patch: () =>
      provenBy(HeartbeatKeeper.prototype, { isConfirmed: true, provenUntilMs: Infinity, reserveMs: 0 }),
  },
  {
    name: 'old generation never closed',
    patch: () => replace(Closing.prototype, 'want', () => () => undefined),
  },
  {
    name: 'close taken as done when acknowledged',
    patch: () =>
      replace(
        OrderBook.prototype,
        'apply',
        (apply) =>
          function (this: OrderBook, tracked, event, patch, source) {
            const verdict = apply.call(this, tracked, event, patch, source);
            return event === 'close' ? apply.call(this, tracked, 'seen_closed', {}, source) : verdict;
          },
      ),
  },
  {
    name: 'a kill that the journal does not take is kept nowhere',
    patch: () => replace(Permit.prototype, 'withdraw', () => () => undefined),
  },
  {
    name: 'orders of a hung engine left to the heartbeat',
    patch: () => replace(OrphanGuard.prototype, 'sweep', () => () => undefined),
  },
  {
    name: 'heartbeat kept over orders that a kill cannot close',
    patch: () => replace(ClosingWatch.prototype, 'see', () => () => undefined),
  },
];
