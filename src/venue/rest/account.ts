import type { Balance, ExchangeRate } from '../../domain/orders.ts';
import type { CallOptions } from '../../ports/venue.ts';
import { readBalance, readRates } from '../wire/account.ts';
import type { RestClient } from './client.ts';
import { pathOf } from './query.ts';

/** Balance and exchange rates (specification, Account). */
export class AccountApi {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** `GET /v2/balance/` */
  balance(options?: CallOptions): Promise<Balance> {
    return this.#client.call(
      {
        name: 'GET /v2/balance/',
        method: 'GET',
        path: pathOf('balance/'),
        repeat: 'safe',
        read: readBalance,
      },
      options,
    );
  }

  /** `GET /v2/xrates/`. Succeeds for every valid key, so it can check a key. */
  xrates(options?: CallOptions): Promise<readonly ExchangeRate[]> {
    return this.#client.call(
      { name: 'GET /v2/xrates/', method: 'GET', path: pathOf('xrates/'), repeat: 'safe', read: readRates },
      options,
    );
  }
}
