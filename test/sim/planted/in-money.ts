import { AccountLedger } from '../../../src/ledger/ledger.ts';
import { Positions } from '../../../src/ledger/positions.ts';
import { ExposureBook } from '../../../src/risk/exposure/book.ts';
import type { OrderPreview } from '../../../src/risk/exposure/book.ts';
import { LossWatch } from '../../../src/risk/loss-watch.ts';
import type { Planted } from './planted.ts';
import { replace } from './planted.ts';

const nothingBeyondEvents = ({ reduces, scopes }: OrderPreview): OrderPreview => {
  const { selection, event, account } = scopes;
  const none = { ...account, worstAfterMicros: 0 };
  return {
    reduces,
    scopes: { selection, event, competition: none, sport: none, day: none, account: none },
  };
};

/** Mistakes in what is counted as money. */
export const IN_MONEY: readonly Planted[] = [
  {
    name: 'limits beyond the event forgotten',
    patch: () =>
      replace(
        ExposureBook.prototype,
        'preview',
        (preview) =>
          function (this: ExposureBook, bet) {
            return nothingBeyondEvents(preview.call(this, bet));
          },
      ),
  },
  {
    name: 'losses booked as wins',
    patch: () =>
      replace(
        AccountLedger.prototype,
        'settle',
        (settle) =>
          function (this: AccountLedger, settlement) {
            const profitLossMicros = Math.abs(settlement.profitLossMicros);
            return settle.call(this, { ...settlement, profitLossMicros });
          },
      ),
  },
  {
    name: 'positions kept when they are settled',
    patch: () =>
      replace(
        Positions.prototype,
        'remove',
        (remove) =>
          function (this: Positions, betId) {
            const fill = remove.call(this, betId);
            if (fill !== undefined) this.add(fill);
            return fill;
          },
      ),
  },
  {
    name: 'losses counted many times over',
    patch: () =>
      replace(
        LossWatch.prototype,
        'observe',
        (observe) =>
          function (this: LossWatch, of, totalMicros, ...instants) {
            return observe.call(this, of, 50 * totalMicros, ...instants);
          },
      ),
  },
];
