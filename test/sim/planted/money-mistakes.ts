import { ExposureBook, type OrderPreview } from '../../../src/risk/exposure/book.ts';
import { type Entry, ScoreGroup } from '../../../src/risk/exposure/groups.ts';
import { OUTCOME } from '../../../src/risk/exposure/payoffs.ts';
import { type Planted, replace } from './planted.ts';

const nothingBeyondEvents = ({ scopes, ...rest }: OrderPreview): OrderPreview => {
  const { selection, event, account } = scopes;
  const none = { ...account, worstAfterMicros: 0 };
  return {
    ...rest,
    scopes: { selection, event, competition: none, sport: none, day: none, account: none },
  };
};

/** The cost of a half-lost bet, rounded to the micro in our favour. */
function halfLossInOurFavour<T extends Pick<Entry, 'payoffs'>>(entry: T): T {
  const payoffs = entry.payoffs.slice();
  payoffs[OUTCOME.halfLoss] = Math.ceil((payoffs[OUTCOME.loss] as number) / 2);
  return { ...entry, payoffs };
}

/** Mistakes in counted money. */
export const IN_MONEY: readonly Planted[] = [
  {
    name: 'a half loss is rounded in our favour',
    patch: () => {
      const group = ScoreGroup.prototype;
      const undo = [
        replace(
          group,
          'add',
          (add) =>
            function (this: ScoreGroup, entry) {
              add.call(this, halfLossInOurFavour(entry));
            },
        ),
        replace(
          group,
          'remove',
          (remove) =>
            function (this: ScoreGroup, entry) {
              remove.call(this, halfLossInOurFavour(entry));
            },
        ),
        replace(
          group,
          'preview',
          (preview) =>
            function (this: ScoreGroup, bet) {
              return preview.call(this, halfLossInOurFavour(bet));
            },
        ),
      ];
      return () => undo.forEach((each) => each());
    },
  },
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
