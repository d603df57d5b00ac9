import type { Balance, ExchangeRate } from '../../domain/orders.ts';
import type { CallOptions } from '../../ports/venue.ts';
import { readBalance, readRates } from '../wire/account.ts';
import { pathOf, type RestClient } from './client.ts';

/** Balance and exchange rates (specification, Account). */
export class AccountApi {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** `GET /v2/balance/` */
  balance(options?: CallOptions): Promise<Balance> {
    return this.#client.get('GET /v2/balance/', pathOf('balance/'), readBalance, options);
  }

  /** `GET /v2/xrates/`. Succeeds for every valid key, so it can check a key. */
  xrates(options?: CallOptions): Promise<readonly ExchangeRate[]> {
    return this.#client.get('GET /v2/xrates/', pathOf('xrates/'), readRates, options);
  }
}
