import { ExposureBook } from '../../../src/risk/exposure/book.ts';
import type { OrderPreview } from '../../../src/risk/exposure/book.ts';
import type { Planted } from './planted.ts';
import { replace } from './planted.ts';

const nothingBeyondEvents = ({ scopes, ...rest }: OrderPreview): OrderPreview => {
  const { selection, event, account } = scopes;
  const none = { ...account, worstAfterMicros: 0 };
  return {
    ...rest,
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
];
