import { Lookups } from '../../../src/orders/outcomes/lookups.ts';
import { changingAnswers, isCreate, type Planted, replace } from './planted.ts';

/** Mistakes that only lasting faults reveal: a refused key, orders that stay open. */
export const IN_ANSWERS: readonly Planted[] = [
  {
    name: 'refused key taken for any other refusal',
    http: changingAnswers((answer, request) =>
      isCreate(request) && answer.status === 401 ? { ...answer, status: 400 } : answer,
    ),
  },
  {
    name: 'orders asked after without a pause',
    patch: () =>
      replace(
        Lookups.prototype,
        'ask',
        (ask) =>
          function (this: Lookups, tracked, done) {
            ask.call(this, tracked, (result) => {
              done(result);
              if (result === 'open' && tracked.order.state === 'closing') this.ask(tracked, () => undefined);
            });
          },
      ),
  },
];
